# frozen_string_literal: true

module Quittance
  # Whatever keeps a request from succeeding: a refusal (ApiError) or that nothing came (ConnectionError).
  class Error < StandardError
  end

  # Nothing came back, so nobody knows whether the request was carried out. Sent again with the same idempotency key, it
  # is carried out once. +cause+ is what the network said.
  class ConnectionError < Error
  end

  # Nothing came in time.
  class TimeoutError < ConnectionError
  end

  # The certificate of the service is not trusted: whoever answers there may be somebody else.
  class CertificateError < ConnectionError
  end

  # The service answered, but not with a success. Its kind is the class, its reasons are +sentences+.
  class ApiError < Error
    attr_reader :response
    # Every reason, one sentence each; the first can be shown to people.
    attr_reader :sentences

    def self.of(response)
      kind = BY_STATUS.fetch(response.code) { response.code >= 500 ? ServerError : ApiError }
      kind.new(response)
    end

    def initialize(response)
      @response = response
      @sentences = response.errors
      @sentences = [unexplained] if @sentences.empty?
      super(@sentences.join(' '))
    end

    def status
      response.code
    end

    # After how many seconds it may be asked again, where the service says so.
    def retry_after_seconds
      response.retry_after_seconds
    end

    # The same request may be sent again: a GET as it is, anything else with the same idempotency key.
    def can_retry?
      response.can_retry?
    end

    private

    def unexplained
      return "The server answered #{status} with something that is not JSON." if response.ok?

      "The server answered #{status} without a reason."
    end
  end

  # 400: something in the request is wrong or missing; +sentences+ names all of it.
  class InvalidRequestError < ApiError
  end

  # 401: the key is unknown, or the signature does not fit.
  class AuthenticationError < ApiError
  end

  # 403: the key may not do that, or not from this address.
  class NotAllowedError < ApiError
  end

  # 404: there is no such record, or no such endpoint.
  class NotFoundError < ApiError
  end

  # 409: not in this state, or the same request is still running.
  class ConflictError < ApiError
  end

  # 422: understood, but it cannot be done.
  class CannotBeDoneError < ApiError
  end

  # 429: too many requests; +retry_after_seconds+ says when to go on.
  class TooManyRequestsError < ApiError
  end

  # 502, 503, 504: not at this moment.
  class UnavailableError < ApiError
  end

  # 500 and above: a fault of the service.
  class ServerError < ApiError
  end

  class ApiError
    BY_STATUS = {
      400 => InvalidRequestError,
      401 => AuthenticationError,
      403 => NotAllowedError,
      404 => NotFoundError,
      409 => ConflictError,
      422 => CannotBeDoneError,
      429 => TooManyRequestsError,
      502 => UnavailableError,
      503 => UnavailableError,
      504 => UnavailableError
    }.freeze
    private_constant :BY_STATUS
  end
end
