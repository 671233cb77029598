# frozen_string_literal: true

require 'openssl'

module Quittance
  # Digest authentication: what proves that a request comes from who has the secret.
  module Signature
    # Over the path without its query, and the bytes of the body as they are sent.
    def self.digest(secret, path, timestamp, method, body)
      endpoint = path.split('?', 2).first
      OpenSSL::HMAC.hexdigest('SHA256', secret, "#{endpoint}#{timestamp}#{method.upcase}".b + body.b)
    end
  end
  private_constant :Signature
end
