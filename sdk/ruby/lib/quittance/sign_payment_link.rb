# frozen_string_literal: true

require 'openssl'
require 'uri'

module Quittance
  # The address where exactly this amount is paid for this reference, once. +url+ and +secret+ are those of a payment link
  # with +signedOnly+; the amount is a decimal such as "12.50".
  def self.sign_payment_link(url, secret, amount:, reference:)
    link_id = url.split('/').last
    signature = OpenSSL::HMAC.hexdigest('SHA256', secret, "#{link_id}\n#{amount}\n#{reference}")
    "#{url}?#{URI.encode_www_form(amount: amount, reference: reference, signature: signature)}"
  end
end
