# frozen_string_literal: true

require 'securerandom'
require 'time'
require 'quittance/errors'
require 'quittance/parameters'
require 'quittance/server_clock'
require 'quittance/signature'

module Quittance
  # Requests that are signed with the clock of the service, and sent again where that is safe: reading may be repeated;
  # everything else carries an Idempotency-Key, with which the service does it once however often it is asked.
  class Connection
    # However often it is tried, without being asked to wait.
    PAUSE_MAX = 8
    # Longer than this nobody waits: then the error says when to come back.
    WAIT_MAX = 30

    def initialize(key:, secret:, line:, retries:, retry_delay:, log_file:)
      @key = key
      # Not as a variable of this object, where everything that writes objects down would find it.
      @sign = ->(*request) { Signature.digest(secret, *request) }
      @line = line
      @retries = retries
      @retry_delay = retry_delay
      @log_file = log_file
      @clock = ServerClock.new
    end

    # +params+ are the query of a GET, otherwise the body. +file+ takes the body of a success.
    def request(method, path, params = {}, idempotency_key: nil, file: nil)
      path = Parameters.as_path(path)
      if method == 'GET'
        target = with_query(path, params)
        return until_answered { send_signed(method, target, {}, nil, file) }
      end

      # Written once: the service knows a repetition by its bytes.
      body = Parameters.as_json(params)
      headers = { 'Content-Type' => 'application/json', 'Idempotency-Key' => checked(idempotency_key) }
      until_answered { send_signed(method, path, headers, body, nil) }
    end

    # Without the secret, which must not end up in a log.
    def inspect
      "#<#{self.class} #{@key}>"
    end

    private

    def checked(idempotency_key)
      return SecureRandom.uuid if idempotency_key.nil?
      return idempotency_key.to_s if idempotency_key.to_s.match?(/\A[\x21-\x7e]{1,255}\z/)

      raise ArgumentError, 'An idempotency key is 1 to 255 printable characters without spaces.'
    end

    def with_query(path, params)
      query = Parameters.as_query(params)
      return path if query.empty?

      "#{path}#{path.include?('?') ? '&' : '?'}#{query}"
    end

    def until_answered
      clock_is_fresh = false
      sent_again = 0
      loop do
        response, failure = attempt { yield }
        if !clock_is_fresh && response&.about_the_clock?
          @clock.forget
          clock_is_fresh = true
          next
        end
        wait = sent_again < @retries ? wait_after(response, failure, sent_again) : nil
        return response || raise(failure) if wait.nil?

        sleep(wait)
        sent_again += 1
      end
    end

    def attempt
      [yield, nil]
    rescue ConnectionError => e
      [nil, e]
    end

    # In seconds; nil: it is not sent again.
    def wait_after(response, failure, sent_again)
      return nil if failure.is_a?(CertificateError) # Nothing that time would mend.
      return nil unless failure || response.can_retry?

      # Spread, so that those who failed together do not come back together.
      pause = [@retry_delay * 2**sent_again, PAUSE_MAX].min * rand(0.5..1.0)
      wait = [pause, response&.retry_after_seconds || 0].max
      wait <= WAIT_MAX ? wait : nil
    end

    # Every attempt is signed anew: a signature is good for half a minute.
    def send_signed(method, path, headers, body, file)
      learn_time unless @clock.known?
      timestamp = @clock.now
      signed = headers.merge(
        'X-Digest-Key' => @key,
        'X-Digest-Timestamp' => timestamp.to_s,
        'X-Digest-Signature' => @sign.call(path, timestamp, method, body || '')
      )
      logged(method, path) { @line.carry(method, path, signed, body, file: file) }
    end

    # A service that answers but does not say leaves us with the clock of this machine.
    def learn_time
      asked_at = ServerClock.steady
      time = logged('GET', '/time') { @line.carry('GET', '/time', {}, nil) }.data&.fetch('time', nil)
      @clock.learn(time, asked_at) if time.is_a?(Integer)
    end

    def logged(method, path)
      response = yield
      log(method, path, "#{response.code} #{response.errors.join(' ')}")
      response
    rescue ConnectionError => e
      log(method, path, "no answer: #{e.message}")
      raise
    end

    # Neither secrets nor what is in requests: a log is read by many.
    def log(method, path, outcome)
      return if @log_file.nil?

      line = "#{Time.now.utc.iso8601} #{method} #{path.split('?').first} #{outcome}".gsub(/\s+/, ' ').strip
      File.open(@log_file, 'a') { |file| file.puts(line) }
    rescue SystemCallError
      nil # A log that cannot be written must not keep anybody from paying.
    end
  end
  private_constant :Connection
end
