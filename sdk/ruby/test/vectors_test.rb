# frozen_string_literal: true

require_relative 'test_helper'

# What all SDKs and the server agree on: sdk/vectors.
class VectorsTest < Minitest::Test
  def test_requests_are_signed
    vectors('digest').then do |given|
      given['clients'].each do |each|
        path = each['path'] + each['query']
        signature = inner(:Signature).digest(given['secret'], path, given['timestamp'], each['method'], each['body'])
        assert_equal each['signature'], signature, each['name']
      end
    end
  end

  def test_amounts_of_payment_links_are_signed
    vectors('payment-links')['signatures'].each do |each|
      url = "https://pay.example.com/en/checkout/pay/#{each['linkId']}"
      signed = Quittance.sign_payment_link(url, each['secret'], amount: each['amount'], reference: each['reference'])
      query = URI.decode_www_form(URI(signed).query).to_h
      assert_equal each.slice('amount', 'reference', 'signature'), query, each['name']
    end
  end

  def test_webhooks_are_judged
    vectors('webhooks').then do |given|
      given['received'].each do |each|
        webhook = read(each, each['headers'], tolerance_seconds: given['toleranceSeconds'])
        expected = [each['isGenuine'], each['eventType'], each['problem']&.tr('-', '_')&.to_sym]
        assert_equal expected, [webhook.genuine?, webhook.event&.event_type, webhook.problem], each['name']
      end
    end
  end

  def test_headers_are_read_as_rack_writes_them
    vectors('webhooks')['received'].select { |each| each['isGenuine'] }.each do |each|
      named = each['headers'].to_h { |name, value| ["HTTP_#{name.upcase.tr('-', '_')}", value] }
      rack = named.merge('REQUEST_METHOD' => 'POST', 'rack.input' => $stdin)
      assert_nil read(each, rack).problem, each['name']
      assert_nil read(each, each['headers'].transform_values { |value| [value] }).problem, each['name']
    end
  end

  def test_nothing_that_arrives_makes_reading_raise
    strange = [nil, 1, 'x', [], [nil], [[1, 2]], { 1 => 2 }, { x_webhook_auth: nil }]
    bodies = [nil, 1, :x, [], {}, '', "\xFF\0", '[' * 10_000, '{"\u0000":1}']
    signed = bodies.map { |body| { 'X-Webhook-Auth' => OpenSSL::Digest.hexdigest('SHA256', "a#{body}") } }
    bodies.product(strange + signed).each do |body, headers|
      wide = 'whsec_YQ=='.encode(Encoding::UTF_16LE)
      [{ api_secret: 'a' }, { webhook_secret: 'whsec_YQ==' }, { webhook_secret: wide }, {}].each do |secrets|
        refute_predicate Quittance::Webhook.read(body, headers, **secrets), :genuine?
      end
    end
  end

  def test_answers_become_errors
    vectors('errors')['errors'].each do |each|
      response = Quittance::Response.new(each['status'], each['body'], each['headers'])
      error = Quittance::ApiError.of(response)
      assert_equal "Quittance::#{each['class']}Error", error.class.name, each['name']
      assert_equal each['sentences'], error.sentences, each['name']
      assert_equal each['sentences'].join(' '), error.message, each['name']
      assert_equal each['status'], error.status, each['name']
      assert_equal [each['retryAfterSeconds']], [error.retry_after_seconds], each['name']
      assert_equal each['canRetry'], error.can_retry?, each['name']
      assert_equal each['isClock'], response.about_the_clock?, each['name']
    end
  end

  def test_charges_are_totalled
    vectors('totals')['totals'].each do |each|
      assert_equal each['total'], Quittance.charge_total(each['charge']), each['name']
    end
    with_decimals = { lineItems: [{ netAmount: BigDecimal('0.1'), quantity: 3 }], taxItems: [{ percent: 0.19 }] }
    assert_equal '0.357', Quittance.charge_total(with_decimals)
  end

  def test_lists_end_or_say_that_they_do_not
    given = vectors('lists')
    given['lists'].each do |each|
      list = Quittance::List.new do |cursor|
        page = each['pages'].find { |one| one['cursor'] == cursor }
        Quittance::Page.new(items: page['items'], next: page['next'])
      end
      found = []
      go_through = -> { list.each { |item| found << item } }
      if each['isEndless']
        assert_equal given['problem'], assert_raises(Quittance::Error, &go_through).message, each['name']
      else
        go_through.call
      end
      assert_equal each['items'], found, each['name']
    end
  end

  private

  def read(each, headers, **more)
    Quittance::Webhook.read(
      each['body'] || each['bodyBase64'].unpack1('m'),
      headers,
      webhook_secret: each['webhookSecrets'],
      api_secret: each['apiSecrets'],
      now_seconds: each['now'],
      **more
    )
  end

  # What only the library itself uses.
  def inner(name)
    Quittance.const_get(name)
  end

  def vectors(name)
    JSON.parse(File.read(File.expand_path("../../vectors/#{name}.json", __dir__), encoding: 'UTF-8'))
  end
end
