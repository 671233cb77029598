# frozen_string_literal: true

require 'json'
require 'openssl'

module Quittance
  # What a genuine webhook tells: +event_type+, for example CHECKOUT_COMPLETED, and +data+, what it is about. A service
  # may know more events than its clients: answer 200 to those you do not know.
  WebhookEvent = Struct.new(:event_type, :data, keyword_init: true)

  # A webhook that was read: genuine with its event, or not to be believed. Nothing that arrives makes reading it raise,
  # and signatures are compared in constant time.
  #
  # With a webhook secret (whsec_…) the signature of Standard Webhooks is checked, which also says when a message was
  # sent, and nothing else is good enough. Without one, X-Webhook-Auth is checked with the API secret.
  class Webhook
    PREFIX = 'whsec_'
    private_constant :PREFIX

    # Nil when the webhook is not genuine.
    attr_reader :event
    # The same when an event is delivered again.
    attr_reader :id
    # One of :no_secret, :unsigned, :wrong_signature, :wrong_time and :unreadable; nil when it is genuine. For a log: to
    # whoever sent it, every problem is the same 401.
    attr_reader :problem

    def initialize(event: nil, id: nil, problem: nil)
      @event = event
      @id = id
      @problem = problem
      freeze
    end

    def genuine?
      problem.nil?
    end

    class << self
      # +body+:: the bytes as they came (request.raw_post, request.body.read), not what was parsed from them.
      # +headers+:: a Hash of headers, the environment of Rack, or request.headers of Rails.
      # +webhook_secret+:: begins with whsec_; both while one is exchanged for another.
      # +api_secret+:: of the API key; several while one is exchanged, or when several keys are used.
      # +tolerance_seconds+:: how far the time of a message may be away from now.
      # +now_seconds+:: Unix time, for tests.
      def read(body, headers, webhook_secret: nil, api_secret: nil, tolerance_seconds: 300, now_seconds: Time.now.to_i)
        return new(problem: :unreadable) unless body.is_a?(String)

        bytes = body.b
        named = by_name(headers)
        keys = secrets(webhook_secret).map { |secret| secret.b.delete_prefix(PREFIX).unpack1('m') }.reject(&:empty?)
        problem =
          if keys.empty?
            problem_of_auth(bytes, named, secrets(api_secret))
          else
            problem_of_signature(bytes, named, keys, now_seconds, tolerance_seconds)
          end
        problem ? new(problem: problem) : genuine(bytes, named['webhook-id'])
      end

      private :new

      private

      def genuine(bytes, id)
        text = bytes.force_encoding(Encoding::UTF_8)
        told = text.valid_encoding? ? JSON.parse(text) : nil
        event_type, data = told.is_a?(Hash) ? told.values_at('eventType', 'data') : []
        return new(problem: :unreadable) unless event_type.is_a?(String) && data.is_a?(Hash)

        new(event: WebhookEvent.new(event_type: event_type, data: data).freeze, id: id)
      rescue JSON::ParserError
        new(problem: :unreadable)
      end

      def problem_of_auth(bytes, named, secrets)
        return :no_secret if secrets.empty?

        given = named['x-webhook-auth'].to_s
        return :unsigned if given.empty?

        fits = secrets.map { |secret| same?(OpenSSL::Digest.hexdigest('SHA256', secret.b + bytes), given) }
        fits.any? ? nil : :wrong_signature
      end

      def problem_of_signature(bytes, named, keys, now_seconds, tolerance_seconds)
        id, timestamp, given = %w[webhook-id webhook-timestamp webhook-signature].map { |name| named[name].to_s.b }
        return :unsigned if [id, timestamp, given].any?(&:empty?)
        return :wrong_signature unless timestamp.match?(/\A\d{1,12}\z/)

        signed = "#{id}.#{timestamp}.".b + bytes
        fits = keys.product(given.split(' ')).map do |key, one|
          same?("v1,#{[OpenSSL::HMAC.digest('SHA256', key, signed)].pack('m0')}", one)
        end
        return :wrong_signature unless fits.any?

        (now_seconds - timestamp.to_i).abs > tolerance_seconds ? :wrong_time : nil
      end

      def same?(expected, given)
        expected.bytesize == given.bytesize && OpenSSL.fixed_length_secure_compare(expected, given)
      end

      # Anybody could sign with an empty secret: that is none.
      def secrets(given)
        Array(given).select { |one| one.is_a?(String) && !one.empty? }
      end

      # By their names in small letters. What came twice, or is no text, is as good as absent.
      def by_name(headers)
        named = {}
        return named unless headers.respond_to?(:each)

        headers.each do |name, value|
          value = value.first if value.is_a?(Array) && value.size == 1
          next unless value.is_a?(String) && (name.is_a?(String) || name.is_a?(Symbol))

          # Rack writes X-Webhook-Auth as HTTP_X_WEBHOOK_AUTH.
          named[name.to_s.b.downcase.tr('_', '-').delete_prefix('http-')] = value
        end
        named
      end
    end
  end
end
