# frozen_string_literal: true

require_relative 'test_helper'
require 'net/http'
require 'tempfile'

# Against a real gateway, which `npm test -- php-and-ruby` starts: see sdk/test/sdk-world.ts.
class StoryTest < Minitest::Test
  SHIRT = {
    charge: {
      billingCurrency: 'USD',
      lineItems: [{ description: 'T-shirt “Größe L”', netAmount: BigDecimal('20'), quantity: 3 }]
    }
  }.freeze

  def setup
    skip 'There is no gateway here: run `npm test -- php-and-ruby`.' unless ENV.key?('QUITTANCE_URL')
  end

  def test_a_signature_is_made_with_the_clock_of_the_service
    client = open_client
    there = client.time
    assert_operator (Time.now.to_i - there).abs, :>, 86_400, 'the clock of the story is far from ours'
    client.auth_test
    helper('/pass?minutes=10')
    client.auth_test
    assert_in_delta there + 600, client.time, 60
  end

  def test_a_checkout_is_paid_and_the_webhook_is_believed
    client = open_client
    customer_id = client.customers.create(email: 'jürgen@example.com', firstname: 'Jürgen')
    assert_equal 'Jürgen', client.customers.get(customer_id)['firstname']

    charge = SHIRT[:charge].merge(customerId: customer_id)
    created = client.checkouts.create(charge: charge, webhook: env('WEBHOOK_URL'), meta: { order: '№ 17' })
    assert_includes created['paymentMethods'].map { |method| method['network'] }, 'BITCOIN'
    committed = client.checkouts.commit(checkoutId: created['id'], network: 'BITCOIN')
    address, amount = committed['depositInstructions'].values_at('address', 'amount')
    assert_equal '0.001', amount
    refute_includes Quittance::CREDITED_STATES, client.checkouts.get(created['id'])['state']

    paid = URI.encode_www_form(address: address, amount: amount, checkoutId: created['id'])
    webhooks, now = helper("/pay?#{paid}").values_at('webhooks', 'now')
    sent = webhooks.first
    [{ webhook_secret: env('WEBHOOK_SECRET') }, { api_secret: env('SECRET') }].each do |secrets|
      webhook = Quittance::Webhook.read(sent['body'], sent['headers'], **secrets, now_seconds: now)
      assert_nil webhook.problem
      assert_equal 'CHECKOUT_COMPLETED', webhook.event.event_type
      assert_equal '№ 17', webhook.event.data['checkout']['meta']['order']
      assert_equal sent['headers']['webhook-id'], webhook.id
      forged = Quittance::Webhook.read("#{sent['body']} ", sent['headers'], **secrets, now_seconds: now)
      assert_equal :wrong_signature, forged.problem
    end
    checkout = client.checkouts.get(created['id'])
    assert_includes Quittance::CREDITED_STATES, checkout['state']
    assert_equal '0.001', checkout['sourceAmountReceived']
    assert_equal 'created', client.checkouts.timeline(created['id']).first['what']
    assert_equal '0.000995', client.wallets.get('BTC')['wallet']['available']
    refute_nil client.wallets.entries.first

    delivery = client.webhook_deliveries.list(checkoutId: created['id']).first
    refute_equal delivery['id'], client.webhook_deliveries.redeliver(delivery['id'])
  end

  def test_a_list_comes_page_by_page
    client = open_client
    made = Array.new(5) { client.checkouts.create_hosted(SHIRT)['id'] }
    client.checkouts.cancel(made.first)
    list = client.checkouts.list(state: %w[CREATED CANCELED], limit: 2)
    found = list.map { |checkout| checkout['id'] }
    assert_empty made - found
    assert_equal found.uniq, found
    assert_equal found.first(3), list.lazy.map { |checkout| checkout['id'] }.first(3)
    first = list.page
    assert_equal 2, first.items.size
    assert_equal found[2], list.page(first.next).items.first['id']
    assert_equal list.each.next, list.first
    assert_empty client.checkouts.list(from: Time.utc(2100)).to_a
  end

  def test_refusals_say_all_that_is_wrong
    client = open_client
    refusal = assert_raises(Quittance::InvalidRequestError) do
      client.checkouts.create_hosted(charge: { lineItems: [{ netAmount: 'a lot' }] })
    end
    assert_operator refusal.sentences.size, :>, 1
    assert_equal refusal.sentences.join(' '), refusal.message
    assert_raises(Quittance::NotFoundError) { client.checkouts.get('abcdefghijkl') }
    stranger = Quittance::Client.new(env('KEY'), 'aaaa-aaaa-aaaa-aaaa-aaaa-aaaa', env('URL'))
    assert_raises(Quittance::AuthenticationError) { stranger.auth_test }
  end

  def test_an_answer_that_is_lost_is_asked_for_again_and_nothing_happens_twice
    lossy = open_client('LOSSY_URL', retry_delay: 0.01)
    before = lossy.checkouts.list.count
    id = lossy.checkouts.create_hosted(SHIRT)['id']
    assert_equal id, lossy.checkouts.get(id)['id']
    assert_equal before + 1, lossy.checkouts.list.count

    careless = open_client('LOSSY_URL', retries: 0)
    order = -> { careless.checkouts.create_hosted(SHIRT, idempotency_key: 'order-18') }
    2.times { assert_raises(Quittance::ConnectionError, &order) }
    again = order.call
    assert_equal before + 2, open_client.checkouts.list.count
    assert_equal again, order.call
    assert_raises(Quittance::CannotBeDoneError) do
      careless.checkouts.create_hosted(SHIRT, meta: { another: 'order' }, idempotency_key: 'order-18')
    end
  end

  def test_who_is_told_to_come_back_does_unless_that_is_far_ahead
    refute_nil open_client('BUSY_URL', retry_delay: 0.01).checkouts.create_hosted(SHIRT)['id']
    assert_equal 503, open_client('BUSY_URL', retries: 0).get('/assets').code
    refusal = assert_raises(Quittance::UnavailableError) { open_client('CLOSED_URL').networks }
    assert_equal [['Not now.'], 3600, true], [refusal.sentences, refusal.retry_after_seconds, refusal.can_retry?]
  end

  def test_nobody_waits_for_ever
    impatient = open_client('SILENT_URL', timeout: 0.1, retries: 1, retry_delay: 0)
    assert_raises(Quittance::TimeoutError) { impatient.auth_test }
    response = impatient.get('/auth-test')
    assert_equal 0, response.code
    assert_equal 1, response.errors.size
  end

  def test_a_certificate_that_nobody_knows_is_not_trusted
    client = open_client('UNTRUSTED_URL', retries: 5, retry_delay: 10)
    assert_raises(Quittance::CertificateError) { client.auth_test }
    ['http://pay.example/api/v1', 'pay.example', '/var/log/shop.log', 'ftp://pay.example', nil].each do |url|
      assert_raises(ArgumentError) { Quittance::Client.new('key', 'secret', url) }
    end
    Quittance::Client.new('key', 'secret', 'http://gateway:8080', allow_plain_http: true)
  end

  def test_amounts_are_exact
    client = open_client
    charge = {
      billingCurrency: 'BTC',
      lineItems: [
        { description: 'As a text', netAmount: '0.00000001', quantity: '3' },
        { description: 'As a decimal', netAmount: BigDecimal('0.00000002'), quantity: 1 },
        { description: 'As numbers', netAmount: 0.1, quantity: 3 }
      ]
    }
    assert_equal '0.30000005', client.checkouts.total(charge)['total']
    assert_equal '0.30000005', Quittance.charge_total(charge)
    [Float::NAN, BigDecimal('Infinity')].each do |none|
      assert_raises(ArgumentError) { client.checkouts.total(lineItems: [none]) }
      assert_raises(ArgumentError) { client.swaps.quote(sourceAmount: none) }
    end
  end

  def test_programs_of_an_earlier_client_run
    log_file = Tempfile.new('log')
    client = Quittance::Client.new(env('KEY'), env('SECRET'), env('URL'), log_file.path)
    response = client.post('/customer', { :customer => { :email => 'john@doe.com', :firstname => 'John' } })
    assert_equal 200, response.code
    customer_id = JSON.parse(response.body)['customerId']
    response = client.post('/checkout/hosted', {
      :charge => {
        :customerId => customer_id,
        :currency => 'USD',
        :lineItems => [{ :description => 'T-Shirt', :netAmount => 10, :quantity => 1 }],
        :discountItems => [{ :description => 'Loyalty Discount', :netAmount => 0.5 }],
        :shippingCostItems => [{ :description => 'Shipping', :netAmount => 3.99, :taxable => false }],
        :taxItems => [{ :name => 'CA Sales Tax', :percent => 0.0825 }]
      },
      :settlementCurrency => nil
    })
    assert_equal 200, response.code, response.body
    checkout_id = JSON.parse(response)['checkoutId']
    response = client.get('/checkout', { :id => checkout_id })
    assert_equal 'CREATED', JSON.parse(response.to_s)['checkout']['state']
    assert_equal Encoding::UTF_8, response.body.encoding
    assert_includes response.headers[:content_type], 'application/json'
    assert_equal 200, client.get('/customers', { :limit => 250 }).code
    assert_equal 200, client.get("/checkout?id=#{checkout_id}").code
    change = { :customer => { :id => customer_id, :email => 'new@email-address.com' } }
    assert_equal 200, client.put('/customer', change).code
    assert_equal 200, client.delete('/customer', { :id => customer_id }).code
    response = client.post('/checkout/hosted')
    assert_equal 400, response.code
    refute_empty JSON.parse(response.body)['errors'].first

    log = log_file.read
    assert_match(%r{ POST /checkout/hosted 400 charge is missing}, log)
    refute_includes log + client.inspect + client.checkouts.inspect, env('SECRET')
    refute_includes log, 'john@doe.com'
  end

  def test_a_file_is_fetched
    client = open_client
    client.checkouts.create_hosted(SHIRT)
    export = client.reports.create_export(list: 'checkouts', format: 'csv')
    helper('/work')
    assert_equal 'READY', client.reports.export(export['id'])['state']
    file = client.reports.export_file(export['id'])
    assert_match(/\.csv\z/, file.file_name)
    assert_includes file.content_type, 'csv'
    assert_operator file.body.read.lines.size, :>, 1
    client.reports.delete_export(export['id'])
    assert_raises(Quittance::NotFoundError) { client.reports.export_file('abcdefghijkl') }
  end

  # The test that starts this one looks whether every endpoint was asked.
  def test_every_endpoint_has_a_method
    client = open_client
    %i[networks assets currencies languages].each { |catalogue| refute_empty client.public_send(catalogue) }
    client.settings
    client.status
    client.health
    helper('/work') # Days are counted before they are reported.
    assert_empty client.reports.checkouts('2026-02').to_a
    assert_empty client.reports.disposals('2026-02').to_a
    %i[statement tax fees].each { |report| refute_empty client.reports.public_send(report, '2026-02') }
    beneficiary_id = client.beneficiaries.create(company: 'Somebody')
    client.beneficiaries.change(id: beneficiary_id, company: 'Somebody else')
    assert_equal 'Somebody else', client.beneficiaries.get(beneficiary_id)['company']
    assert_equal 1, client.beneficiaries.list.count
    client.beneficiaries.delete(beneficiary_id)
    customer_id = client.customers.create('email' => 'a@b.example')
    client.customers.change({ id: customer_id, city: 'Łódź' })
    assert_equal 'Łódź', client.customers.list(email: 'a@b.example').first['city']
    client.customers.delete(customer_id)
    assert_empty client.papers.list(search: 'nothing').to_a
    link = client.payment_links.create(description: 'Order', currency: 'USD', signedOnly: true)
    assert_equal 64, client.payment_links.secret(link['id']).length
    assert_equal link['id'], client.payment_links.list.first['id']
    assert_empty client.payment_links.checkouts(link['id']).to_a
    client.payment_links.close(link['id'])
    assert_equal 'CLOSED', client.payment_links.get(link['id'])['state']
    deposit = client.deposits.create(network: 'BITCOIN', amount: '0.01')
    assert_equal deposit['id'], client.deposits.list.first['id']
    assert_equal deposit['id'], client.deposits.get(deposit['id'])['id']
    client.deposits.close(deposit['id'])
    assert_includes client.wallets.list, 'totalValue'
    [client.refunds, client.swaps, client.transfers, client.target_accounts].each { |each| assert_empty each.list.to_a }
    refused_calls(client, 'abcdefghijkl').each { |call| assert_raises(Quittance::ApiError, &call) }
  end

  private

  def refused_calls(client, nobody)
    [
      -> { client.checkouts.accept_underpayment(nobody) },
      -> { client.checkouts.accept_excess(nobody) },
      -> { client.papers.get(nobody) },
      -> { client.papers.credit(paperId: nobody) },
      -> { client.papers.send_again(nobody) },
      -> { client.refunds.create(checkoutId: nobody) },
      -> { client.refunds.approve(nobody) },
      -> { client.refunds.cancel(nobody) },
      -> { client.refunds.get(nobody) },
      -> { client.swaps.quote(sourceAsset: 'BTC', targetAsset: 'NONE', sourceAmount: '1') },
      -> { client.swaps.create(quoteId: nobody) },
      -> { client.swaps.get(nobody) },
      -> { client.transfers.estimate(network: 'BITCOIN', asset: 'BTC', amount: '0') },
      -> { client.transfers.create(network: 'BITCOIN', asset: 'BTC', amount: '0') },
      -> { client.transfers.approve(nobody) },
      -> { client.transfers.cancel(nobody) },
      -> { client.transfers.get(nobody) },
      -> { client.target_accounts.create(label: 'Cold storage') },
      -> { client.target_accounts.change(id: nobody, label: 'Warm storage') },
      -> { client.target_accounts.get(label: 'nowhere') },
      -> { client.target_accounts.delete(id: nobody) }
    ]
  end

  def open_client(url = 'URL', **options)
    Quittance::Client.new(env('KEY'), env('SECRET'), env(url), **options)
  end

  def env(name)
    ENV.fetch("QUITTANCE_#{name}")
  end

  def helper(wish)
    JSON.parse(Net::HTTP.get(URI("#{env('HELPER_URL')}#{wish}")))
  end
end
