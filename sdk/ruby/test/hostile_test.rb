# frozen_string_literal: true

require_relative 'test_helper'
require 'openssl'
require 'socket'
require 'yaml'

# How a client behaves towards a server that is slow, cut off or somebody else. The server here is a small one.
class HostileTest < Minitest::Test
  Seen = Struct.new(:line, :timestamp, :signature, :body, keyword_init: true)

  def teardown
    @servers&.each do |server, thread|
      thread.kill
      server.close
    end
  end

  def test_what_is_signed_is_what_is_sent_whatever_the_path_is
    seen = []
    client = open_client(start { |socket, asked| answer(socket, '{}').then { seen << asked } })
    paths = JSON.parse(File.read(File.expand_path('../../vectors/paths.json', __dir__), encoding: 'UTF-8'))
    paths['paths'].each do |each|
      assert_equal 200, client.post(each['given'], { a: 'ü' }).code, each['name']
      assert_equal "POST /api/v1#{each['sent']} HTTP/1.1", seen.last.line, each['name']
      text = "#{each['signed']}#{seen.last.timestamp}POST".b + seen.last.body
      assert_equal OpenSSL::HMAC.hexdigest('SHA256', 'secret', text), seen.last.signature, each['name']
    end
    paths['refused'].each { |path| assert_raises(ArgumentError, path) { client.get(path) } }
    assert_equal paths['paths'].size, seen.size
  end

  def test_parameters_may_be_missing_and_a_name_may_be_a_number
    seen = []
    client = open_client(start { |socket, asked| answer(socket, '{}').then { seen << asked } })
    client.get('/a', nil)
    client.post('/a', nil, idempotency_key: 17)
    assert_equal ['', '{}'], seen.map(&:body)
    deep = 200.times.inject('a') { |inner, _| [inner] }
    assert_raises(ArgumentError) { client.post('/a', { a: deep }) }
  end

  def test_a_server_that_drips_is_not_waited_for
    drip = lambda do |socket, _|
      socket.write("HTTP/1.1 200 OK\r\nX-Drip: ")
      100.times { socket.write('a') && sleep(0.05) }
    end
    begun = clock
    assert_equal 0, open_client(start(&drip), timeout: 0.3).get('/a').code
    assert_operator clock - begun, :<, 3
  end

  def test_what_is_no_http_is_no_answer
    [
      "HTTP/1.1 200 OK\r\nX-A: a\rb\r\nContent-Length: 2\r\n\r\n{}",
      "HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\n{}",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\xFF\xFE\r\n",
      "\xFF\xFE\0\r\n\r\n"
    ].each do |garbage|
      port = start { |socket, _| socket.write(garbage) }
      log = Tempfile.new('log')
      response = Quittance::Client.new('key', 'secret', "http://localhost:#{port}", log.path, retries: 0).get('/a')
      assert_equal [0, 1], [response.code, response.errors.size], garbage.inspect
      assert_match(%r{GET /a no answer: }, log.read)
    end
  end

  def test_an_answer_over_tls_that_is_cut_off_is_asked_for_again
    seen = []
    server = start(tls) do |socket, asked|
      seen << asked
      seen.size < 3 ? socket.write("HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{") : answer(socket, '{"customerId":"a"}')
    end
    assert_equal 'a', open_client(server, 'https', retries: 2).customers.create(email: 'a@b.example')
    assert_equal 3, seen.size

    cut_off = start(tls) { |socket, _| socket.write('HTTP/1.1 200 OK') }
    refusal = assert_raises(Quittance::ConnectionError) { open_client(cut_off, 'https').wallets.list }
    refute_kind_of Quittance::CertificateError, refusal
    stranger = start(tls(trusted: false)) { |socket, _| answer(socket, '{}') }
    assert_raises(Quittance::CertificateError) { open_client(stranger, 'https').wallets.list }
  end

  def test_a_request_is_sent_again_as_often_as_was_wished
    line = Struct.new(:count) do
      def carry(*, **)
        self.count += 1
        Quittance::Response.new(503, '')
      end
    end.new(0)
    connection = Quittance.const_get(:Connection).new(
      key: 'k', secret: 's', line: line, retries: 12, retry_delay: 20, log_file: nil
    )
    pauses = []
    connection.define_singleton_method(:sleep) { |seconds| pauses << seconds }
    connection.request('GET', '/a')
    assert_equal 12, pauses.size
    assert_operator pauses.max, :<=, 8
  end

  def test_limits_are_numbers
    [{ retries: nil }, { retries: -1 }, { timeout: nil }, { timeout: 0 }, { timeout: Float::NAN }].each do |wrong|
      assert_raises(ArgumentError, wrong.inspect) { Quittance::Client.new('k', 's', 'https://pay.example', **wrong) }
    end
    port = start { |socket, _| answer(socket, '{}') }
    patient = open_client(port, timeout: Float::INFINITY, connect_timeout: Float::INFINITY)
    assert_equal 200, patient.get('/a').code
  end

  def test_nothing_that_writes_objects_down_finds_the_secret
    client = Quittance::Client.new('key', 'the-secret', 'https://pay.example')
    assert_raises(TypeError) { Marshal.dump(client) }
    refute_includes client.to_yaml + client.inspect, 'the-secret'
  end

  def test_a_list_does_not_end_because_something_else_does
    list = Quittance::List.new { Quittance::Page.new(items: [1, 2], next: nil) }
    assert_raises(StopIteration) { list.each { [].each.next } }
  end

  private

  def open_client(port, scheme = 'http', **options)
    Quittance::Client.new('key', 'secret', "#{scheme}://localhost:#{port}", retries: 0, retry_delay: 0.01, **options)
  end

  # Tells the time, and leaves everything else to the test. Gives its port.
  def start(server = TCPServer.new('localhost', 0))
    thread = Thread.new do
      loop do
        socket = server.accept
        asked = read(socket)
        asked.line.include?('/time ') ? answer(socket, '{"time":1600000000}') : yield(socket, asked)
      rescue IOError, SystemCallError, OpenSSL::SSL::SSLError
        nil # Whoever asked has gone.
      ensure
        socket.respond_to?(:io) ? socket.io.close : socket&.close # Without the farewell of TLS.
      end
    end
    (@servers ||= []) << [server, thread]
    server.addr[1]
  end

  def read(socket)
    line, *headers = Enumerator.produce { socket.gets.to_s.chomp }.take_while { |each| !each.empty? }
    named = headers.to_h { |each| each.split(': ', 2).then { |name, value| [name.downcase, value] } }
    body = socket.read(named['content-length'].to_i)
    signed = { timestamp: named['x-digest-timestamp'], signature: named['x-digest-signature'] }
    Seen.new(line: line.to_s, body: body.to_s, **signed)
  end

  def answer(socket, body)
    socket.write("HTTP/1.1 200 OK\r\nContent-Length: #{body.bytesize}\r\n\r\n#{body}")
  end

  def tls(trusted: true)
    key = OpenSSL::PKey::EC.generate('prime256v1')
    context = OpenSSL::SSL::SSLContext.new
    context.key = key
    context.cert = certificate(key)
    OpenSSL::SSL::SSLContext::DEFAULT_CERT_STORE.add_cert(context.cert) if trusted
    OpenSSL::SSL::SSLServer.new(TCPServer.new('localhost', 0), context)
  end

  def certificate(key)
    OpenSSL::X509::Certificate.new.tap do |made|
      made.version = 2
      made.serial = OpenSSL::BN.rand(64)
      made.subject = made.issuer = OpenSSL::X509::Name.parse("/CN=localhost/O=#{made.serial}")
      made.public_key = key
      made.not_before = Time.now - 3600
      made.not_after = Time.now + 3600
      made.add_extension(OpenSSL::X509::ExtensionFactory.new.create_extension('subjectAltName', 'DNS:localhost'))
      made.sign(key, 'SHA256')
    end
  end

  def clock
    Process.clock_gettime(Process::CLOCK_MONOTONIC)
  end
end
