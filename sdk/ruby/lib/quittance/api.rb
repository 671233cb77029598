# frozen_string_literal: true

require 'tempfile'
require 'quittance/errors'
require 'quittance/list'

module Quittance
  # A file that was asked for: what the service calls it, its type, and its bytes as a file at its beginning.
  ExportFile = Struct.new(:file_name, :content_type, :body, keyword_init: true)

  # Calls that give what was asked for, or raise. What the resources are made of.
  class Api
    def initialize(connection)
      @connection = connection
    end

    def call(method, path, params = {}, idempotency_key: nil)
      response = @connection.request(method, path, params, idempotency_key: idempotency_key)
      data = response.data
      raise ApiError.of(response) unless response.ok? && data

      data
    end

    # +name+: under which a page has its records.
    def list(path, filter, name)
      List.new do |cursor|
        reply = call('GET', path, cursor ? filter.merge(cursor: cursor) : filter)
        Page.new(items: reply[name], next: reply['next'])
      end
    end

    def file(path, params)
      body = Tempfile.new('quittance', binmode: true)
      response = @connection.request('GET', path, params, file: body)
      raise ApiError.of(response) unless response.ok?

      body.rewind
      name = response.headers[:content_disposition].to_s[/filename="([^"]+)"/, 1]
      ExportFile.new(file_name: name, content_type: response.headers[:content_type], body: body)
    end
  end
  private_constant :Api

  # What belongs to one subject.
  class Resource
    # :nodoc:
    def initialize(api)
      @api = api
    end

    private

    attr_reader :api
  end
  private_constant :Resource
end
