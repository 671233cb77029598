# frozen_string_literal: true

require 'net/http'
require 'openssl'
require 'timeout'
require 'quittance/errors'
require 'quittance/response'
require 'quittance/version'

module Quittance
  # The line to the service: one request out, one response in. Certificates are always checked and redirects are never
  # followed, because a signature is good for one place. Nothing is shared between requests, so threads may share a
  # client.
  class Line
    FAILURES = [
      SystemCallError, SocketError, IOError, Net::ProtocolError, Net::HTTPBadResponse, Net::HTTPHeaderSyntaxError,
      OpenSSL::SSL::SSLError, ArgumentError # A header of the answer with the end of a line in it.
    ].freeze

    # Seconds. Ruby cannot wait for ever by a number, as Float::INFINITY asks for.
    LONGEST = 1_000_000
    private_constant :LONGEST

    def initialize(base, timeout:, connect_timeout:)
      @base = base
      @timeout = [timeout, LONGEST].min
      @connect_timeout = [connect_timeout, LONGEST].min
    end

    # Raises a ConnectionError when nothing comes. +file+ takes the body of a success, from its beginning.
    def carry(method, path_and_query, headers, body, file: nil)
      request = Net::HTTPGenericRequest.new(method, !body.nil?, true, "#{@base.path}#{path_and_query}", headers)
      request['Accept'] = 'application/json'
      request['Accept-Encoding'] = 'identity' # So that its length can be held against what was announced.
      request['User-Agent'] = "quittance-ruby/#{VERSION}"
      request.body = body
      # The limits of Net::HTTP are for each part: a server that drips would never end. A file may take its time.
      file ? exchange(request, file) : Timeout.timeout(@timeout) { exchange(request, nil) }
    rescue Timeout::Error => e
      raise TimeoutError, "The service did not answer in time: #{e.message}"
    rescue *FAILURES => e
      # What a broken answer is quoted with can be any bytes.
      reason = e.message.dup.force_encoding(Encoding::UTF_8).scrub
      # A connection that is cut off is an SSLError, too, but one that time mends.
      if e.is_a?(OpenSSL::SSL::SSLError) && reason.include?('certificate')
        raise CertificateError, "The connection to the service is not safe: #{reason}"
      end

      raise ConnectionError, "The service could not be reached: #{reason}"
    end

    private

    def exchange(request, file)
      received = String.new # Of bytes.
      answer = connection.start do |http|
        http.request(request) { |head| receive(head, file && head.code == '200' ? emptied(file) : received) }
      end
      Response.new(answer.code.to_i, received, answer.each_header.to_h)
    end

    def receive(head, target)
      size = 0
      head.read_body do |part|
        target << part
        size += part.bytesize
      end
      # Net::HTTP takes half an answer for an answer.
      raise EOFError, 'the answer was cut off' if size < (head.content_length || 0)
    end

    def emptied(file)
      file.truncate(0)
      file.rewind
      file
    end

    def connection
      http = Net::HTTP.new(@base.hostname, @base.port)
      http.use_ssl = @base.scheme == 'https'
      http.verify_mode = OpenSSL::SSL::VERIFY_PEER
      http.open_timeout = @connect_timeout
      http.ssl_timeout = @connect_timeout
      http.read_timeout = @timeout
      http.write_timeout = @timeout
      http.max_retries = 0 # Who sends again is the connection, which knows when that is safe.
      http
    end
  end
  private_constant :Line
end
