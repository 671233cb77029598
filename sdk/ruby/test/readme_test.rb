# frozen_string_literal: true

require_relative 'test_helper'

# What README.md shows works.
class ReadmeTest < Minitest::Test
  README = File.read(File.expand_path('../README.md', __dir__), encoding: 'UTF-8')
  EXAMPLES = README.scan(/^```ruby\n(.*?)^```$/m).flatten

  def test_every_example_can_be_read
    assert_operator EXAMPLES.size, :>, 5
    EXAMPLES.each { |code| RubyVM::InstructionSequence.compile("-> do\n#{code}\nend") }
  end

  def test_the_first_example_makes_a_checkout
    skip 'There is no gateway here: run `npm test -- php-and-ruby`.' unless ENV.key?('QUITTANCE_URL')

    code = EXAMPLES.find { |example| example.include?('redirect_to') }
                   .gsub('YOUR-KEY', ENV.fetch('QUITTANCE_KEY'))
                   .gsub('YOUR-SECRET', ENV.fetch('QUITTANCE_SECRET'))
                   .gsub('https://pay.example/api/v1', ENV.fetch('QUITTANCE_URL'))
                   .sub(/^redirect_to (.+), .*$/, '\1')
    assert_match %r{\Ahttps://pay\.test/}, Object.new.instance_eval(code)
  end

  # As much of a controller of Rails as the example needs.
  class Controller
    Request = Struct.new(:raw_post, :headers)
    attr_reader :request, :shipped

    def initialize(body, headers) = @request = Request.new(body, headers)
    def head(status) = status
    def logger = self
    def warn(_text) = nil
    def ship(order) = @shipped = order
  end

  def test_the_receiver_believes_what_is_genuine_and_answers_401_to_the_rest
    key = 'a secret of twenty-four bytes'
    code = EXAMPLES.find { |example| example.include?('def webhook') }.sub('whsec_…', "whsec_#{[key].pack('m0')}")
    Controller.class_eval(code)
    body = '{"eventType":"CHECKOUT_COMPLETED","data":{"checkout":{"meta":{"order":"4711"}}}}'
    time = Time.now.to_i.to_s
    signature = "v1,#{[OpenSSL::HMAC.digest('SHA256', key, "evt.#{time}.#{body}")].pack('m0')}"
    headers = { 'webhook-id' => 'evt', 'webhook-timestamp' => time, 'webhook-signature' => signature }
    genuine = Controller.new(body, headers)
    assert_equal [:ok, '4711'], [genuine.webhook, genuine.shipped]
    [["#{body} ", headers], ['', {}]].each do |forged|
      refused = Controller.new(*forged)
      assert_equal [:unauthorized, nil], [refused.webhook, refused.shipped]
    end
  end
end
