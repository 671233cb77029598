# frozen_string_literal: true

require 'json'
require 'time'

module Quittance
  # What +get+, +post+, +put+ and +delete+ give: whatever came, also a refusal. It can be read like the response of
  # earlier clients of this interface: +code+, +body+, +headers+ by symbols, and itself as the text of the body.
  class Response
    # The status as an Integer; 200 is success.
    attr_reader :code
    # The body as it came, usually JSON.
    attr_reader :body
    # Values by names such as +:content_type+.
    attr_reader :headers

    def initialize(code, body, headers = {})
      @code = code
      @body = body.dup.force_encoding(Encoding::UTF_8).freeze
      @headers = headers.to_h { |name, value| [name.to_s.downcase.tr('-', '_').to_sym, value] }
      freeze
    end

    def ok?
      code == 200
    end

    # The body when it is a JSON object, otherwise nil. Never raises.
    def data
      return nil unless body.valid_encoding?

      parsed = JSON.parse(body)
      parsed.is_a?(Hash) ? parsed : nil
    rescue JSON::ParserError
      nil
    end

    # Why it was refused, all sentences; empty after a success.
    def errors
      sentences = ok? ? [] : (data || {})['errors']
      sentences.is_a?(Array) ? sentences.grep(String) : []
    end

    # After how many seconds it may be asked again; nil when that is not said. A date, as proxies write it, counts from
    # the date of the same answer: our own clock may be wrong.
    def retry_after_seconds
      said = headers[:retry_after].to_s
      return said.to_i if said.match?(/\A\d{1,15}\z/)

      from, to = [headers[:date].to_s, said].map { |text| seconds_of_date(text) }
      from && to && [0, to - from].max
    end

    # Only the moment is wrong, and not the request: the service says when that is so.
    def can_retry?
      !ok? && (code == 429 || code >= 500 || headers.key?(:retry_after))
    end

    # The clock that the signature was made with is wrong.
    def about_the_clock?
      code == 401 && errors.any? { |sentence| sentence.include?('GET /time') }
    end

    def to_s
      body
    end
    alias to_str to_s

    private

    # Of a date as HTTP writes it: "Wed, 18 Nov 2026 00:00:00 GMT".
    def seconds_of_date(text)
      Time.httpdate(text).to_i
    rescue ArgumentError
      nil
    end
  end
end
