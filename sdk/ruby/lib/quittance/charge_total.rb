# frozen_string_literal: true

require 'quittance/parameters'

module Quittance
  # What a charge comes to, by the rule of the API, exactly: the service finds the same. Nothing is rounded.
  #
  #   Quittance.charge_total(lineItems: [{ netAmount: '19.99', quantity: 3 }]) # => "59.97"
  def self.charge_total(charge)
    ChargeTotal.new(charge).to_s
  end

  # Adds up with Rational, which is exact, and ends behind the point because all that is added does.
  class ChargeTotal
    PLAIN = /\A-?\d+(?:\.\d+)?\z/.freeze

    def initialize(charge)
      @charge = charge.transform_keys(&:to_s)
    end

    def to_s
      goods = sum('lineItems') { |item| amount(item) * decimal(item['quantity'] || '1') }
      goods -= sum('discountItems') { |item| amount(item) }
      net = goods + sum('shippingCostItems') { |item| amount(item) }
      taxable = goods + sum('shippingCostItems') { |item| item['taxable'] == true ? amount(item) : 0 }
      text(net + taxable * sum('taxItems') { |item| decimal(item['percent']) })
    end

    private

    def sum(name)
      items = @charge[name] || []
      items.sum(0r) { |item| yield item.transform_keys(&:to_s) }
    end

    def amount(item)
      decimal(item['netAmount'] || '0')
    end

    def decimal(value)
      text = Parameters.as_text(value)
      return text.to_r if text.match?(PLAIN)

      raise ArgumentError, "#{text.inspect} is no decimal in plain notation, such as \"19.99\"."
    end

    # Without an exponent and without zeros that mean nothing.
    def text(number)
      scale = (0..).find { |digits| (10**digits % number.denominator).zero? }
      digits = (number.abs * 10**scale).to_i.to_s.rjust(scale + 1, '0')
      digits.insert(-(scale + 1), '.') if scale.positive?
      "#{'-' if number.negative?}#{digits}"
    end
  end
  private_constant :ChargeTotal
end
