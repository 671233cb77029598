# frozen_string_literal: true

require 'json'
require 'time'
require 'uri'

module Quittance
  # What a caller gives, as text. Amounts are never computed with: a BigDecimal becomes all of its digits, and a Float
  # the fewest digits that mean it.
  module Parameters
    # What a URL must not have as it is, and segments that lead elsewhere.
    FORBIDDEN = /[^\x21-\x7e]|["#'<>\\^`{|}]/n.freeze
    ELSEWHERE = %r{\A[^?]*/(?:\.|%2e){1,2}(?:[/?]|\z)}in.freeze
    private_constant :FORBIDDEN, :ELSEWHERE

    class << self
      # A path, perhaps with a query, as it is sent: what is signed must not be written in another way on its way out.
      def as_path(path)
        unless path.is_a?(String) && path.start_with?('/')
          raise ArgumentError, "A path begins with a slash, such as /checkout, but this is #{path.inspect}."
        end

        bytes = path.encode(Encoding::UTF_8).b
        raise ArgumentError, "#{path} is outside of the API." if bytes.match?(ELSEWHERE)

        bytes.gsub(FORBIDDEN) { |byte| format('%%%02X', byte.ord) }.force_encoding(Encoding::UTF_8)
      end

      def as_json(params)
        JSON.generate(plain(params || {}))
      rescue JSON::GeneratorError, JSON::NestingError => e
        raise ArgumentError, "The parameters cannot be written as JSON: #{e.message}."
      end

      # Several values of one name stand side by side, with commas between them: that is how the API reads lists.
      def as_query(params)
        texts = (params || {}).compact.transform_values do |value|
          value.is_a?(Array) ? value.map { |each| as_text(each) }.join(',') : as_text(value)
        end
        URI.encode_www_form(texts)
      end

      def as_text(value)
        plain(value).to_s
      end

      private

      def plain(value)
        case value
        when Hash then value.transform_values { |each| plain(each) }
        when Array then value.map { |each| plain(each) }
        when Time then value.iso8601
        when Float then finite(value)
        else decimal?(value) ? decimal_text(value) : dated(value)
        end
      end

      def finite(value)
        return value if value.finite?

        raise ArgumentError, "An amount must be a number, but is #{value}."
      end

      # Not required here: whoever has a BigDecimal has loaded it.
      def decimal?(value)
        defined?(::BigDecimal) && value.is_a?(::BigDecimal)
      end

      def decimal_text(value)
        finite(value).to_s('F').delete_suffix('.0')
      end

      # A Date or DateTime, which are not required here either.
      def dated(value)
        value.respond_to?(:iso8601) ? value.iso8601 : value
      end
    end
  end
  private_constant :Parameters
end
