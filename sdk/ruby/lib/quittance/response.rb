# frozen_string_literal: true

require 'json'

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

    # After how many seconds it may be asked again; nil when that is not said, or as a date, as proxies write it.
    def retry_after_seconds
      headers[:retry_after].to_s.match?(/\A\d{1,15}\z/) ? headers[:retry_after].to_i : nil
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
  end
end
