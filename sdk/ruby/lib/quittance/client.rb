# frozen_string_literal: true

require 'json'
require 'uri'
require 'quittance/api'
require 'quittance/checkout_resources'
require 'quittance/connection'
require 'quittance/line'
require 'quittance/money_resources'
require 'quittance/report_resources'

module Quittance
  # The API, in the words of a shop. Beside it +get+, +post+, +put+ and +delete+, as programs call that used an earlier
  # client.
  #
  # Methods give what the API reference says, as Hashes with its names, with amounts as decimal strings; they raise a
  # Quittance::Error when that is not possible. What changes something takes an idempotency key: sent again with the
  # same one, also by another process, it is done once, for a day. One that nobody else has is made up otherwise.
  #
  # Threads may share a client.
  class Client
    attr_reader :checkouts, :payment_links, :papers, :refunds, :customers, :deposits, :wallets, :swaps, :transfers,
                :target_accounts, :beneficiaries, :reports, :webhook_deliveries

    # +base_url+:: ends in /api/v1; where it has no path, that is meant.
    # +log_file+:: gets a line for every request; neither secrets nor what is in requests.
    # +timeout+:: how many seconds one attempt may take.
    # +connect_timeout+:: how many seconds may go by until somebody is there.
    # +retries+:: how often a request is sent again when only the moment was wrong.
    # +retry_delay+:: the seconds before the first repetition, doubled each time.
    # +allow_plain_http+:: unencrypted HTTP to another machine; only where nobody else can listen.
    def initialize(key, secret, base_url, log_file = nil, timeout: 30, connect_timeout: 10, retries: 2,
                   retry_delay: 0.5, allow_plain_http: false)
      { key: key, secret: secret }.each do |name, value|
        next if value.is_a?(String) && value.match?(/\A[\x21-\x7e]+\z/)

        raise ArgumentError, "A client needs a #{name}: Quittance::Client.new(key, secret, base_url)."
      end
      demand_numbers(timeout: timeout, connect_timeout: connect_timeout, retries: retries, retry_delay: retry_delay)
      url = BaseUrl.read(base_url, allow_plain_http)
      line = Line.new(url, timeout: timeout, connect_timeout: connect_timeout)
      @connection = Connection.new(
        key: key, secret: secret, line: line, retries: retries, retry_delay: retry_delay, log_file: log_file
      )
      @api = Api.new(@connection)
      open_resources
    end

    # Raises an AuthenticationError when key and secret are not good.
    def auth_test
      @api.call('GET', '/auth-test')
      nil
    end

    # The time of the service in Unix seconds. Requests are signed with it without being asked to.
    def time
      @api.call('GET', '/time')['time']
    end

    def networks
      @api.call('GET', '/networks')['networks']
    end

    def assets
      @api.call('GET', '/assets')['assets']
    end

    def currencies
      @api.call('GET', '/currencies')['currencies']
    end

    def languages
      @api.call('GET', '/languages')['languages']
    end

    def settings
      @api.call('GET', '/settings')['settings']
    end

    # Whether all parts of the service are well.
    def status
      @api.call('GET', '/status')
    end

    # Whether the process that answers can serve; raises an UnavailableError when it cannot.
    def health
      @api.call('GET', '/health')
      nil
    end

    # Any endpoint, with +params+ as its query. Never raises because of what the service or the network does: look at
    # +code+ of the Response, which is 200, a failure, or 0 when there was no answer.
    def get(endpoint, params = {})
      plainly('GET', endpoint, params)
    end

    # Any endpoint, with +params+ as its body.
    def post(endpoint, params = {}, idempotency_key: nil)
      plainly('POST', endpoint, params, idempotency_key: idempotency_key)
    end

    # Any endpoint, with +params+ as its body.
    def put(endpoint, params = {}, idempotency_key: nil)
      plainly('PUT', endpoint, params, idempotency_key: idempotency_key)
    end

    # Any endpoint, with +params+ as its body.
    def delete(endpoint, params = {}, idempotency_key: nil)
      plainly('DELETE', endpoint, params, idempotency_key: idempotency_key)
    end

    private

    # What is no number is never reached: nobody would stop waiting, or sending again.
    def demand_numbers(timeout:, connect_timeout:, **not_negative)
      limits = [timeout, connect_timeout]
      numbers = [*limits, *not_negative.values].all? { |each| each.is_a?(Numeric) && each >= 0 }
      return if numbers && limits.all?(&:positive?)

      raise ArgumentError, 'Time limits are more than 0 seconds; retries are not less than 0.'
    end

    def open_resources
      @checkouts = Checkouts.new(@api)
      @payment_links = PaymentLinks.new(@api)
      @papers = Papers.new(@api)
      @refunds = Refunds.new(@api)
      @customers = Customers.new(@api)
      @deposits = Deposits.new(@api)
      @wallets = Wallets.new(@api)
      @swaps = Swaps.new(@api)
      @transfers = Transfers.new(@api)
      @target_accounts = TargetAccounts.new(@api)
      @beneficiaries = Beneficiaries.new(@api)
      @reports = Reports.new(@api)
      @webhook_deliveries = WebhookDeliveries.new(@api)
    end

    def plainly(method, endpoint, params, idempotency_key: nil)
      @connection.request(method, endpoint, params, idempotency_key: idempotency_key)
    rescue ConnectionError => e
      Response.new(0, JSON.generate(errors: [e.message]))
    end
  end

  # Where the service is.
  module BaseUrl
    LOOPBACK = /\A(?:localhost|.+\.localhost|\[::1\]|127(?:\.\d{1,3}){3})\z/i.freeze

    # Without a slash at its end.
    def self.read(text, plain_allowed)
      url = URI.parse(text.to_s)
      unless url.is_a?(URI::HTTP) && url.host
        raise ArgumentError, "The base URL must begin with https://, but is #{text.inspect}."
      end
      if url.userinfo || url.query || url.fragment
        raise ArgumentError, 'The base URL ends with its path, such as https://pay.example/api/v1.'
      end
      if url.scheme == 'http' && !plain_allowed && !url.host.match?(LOOPBACK)
        raise ArgumentError,
              "The base URL #{text} is not encrypted: use https://, or allow_plain_http where nobody else can listen."
      end

      path = url.path.sub(%r{/+\z}, '')
      url.path = path.empty? ? '/api/v1' : path
      url
    rescue URI::InvalidURIError
      raise ArgumentError, "The base URL must begin with https://, but is #{text.inspect}."
    end
  end
  private_constant :BaseUrl
end
