# frozen_string_literal: true

# A shop that takes crypto. An order is paid when a webhook says so, never because a customer comes back.
# Quittance must run (`npm start`); then `ruby examples/ruby/shop.rb` opens the shop.

$LOAD_PATH.unshift File.expand_path('../../sdk/ruby/lib', __dir__) # Your shop has the gem in its Gemfile instead.

require 'quittance'
require 'webrick'
require_relative 'access'
require_relative 'orders'
require_relative 'pages'

PRODUCTS = {
  'tea' => { name: 'Green tea', price: '4.50' },
  'pot' => { name: 'Teapot', price: '39.90' },
  'cup' => { name: 'Cup', price: '12.00' }
}.freeze

class Shop
  def initialize(access)
    @api_secret = access['apiSecret']
    @client = Quittance::Client.new(access['apiKey'], @api_secret, access['baseUrl'])
  end

  # Where customers and webhooks find the shop.
  attr_writer :url

  # Raises when Quittance does not let the shop in.
  def check
    @client.auth_test
  end

  def answer(request, response)
    case "#{request.request_method} #{request.path}"
    when 'GET /' then show(response, 200, Pages.shop(PRODUCTS))
    when 'POST /webhook' then response.status = hear_webhook(request.body.to_s, request.header)
    when 'POST /orders' then sell(request.query, response)
    else show_order(request, response)
    end
  rescue Quittance::Error => e
    warn e.message
    show(response, 503, Pages.problem('That does not work at the moment. Please try again.'))
  end

  private

  # The order is kept before anybody is asked for money, with the prices of now.
  def sell(form, response)
    product = PRODUCTS[form['product']]
    quantity = Integer(form['quantity'], 10, exception: false)
    return show(response, 400, Pages.problem('We sell 1 to 99 of what we have.')) unless product && (1..99).cover?(quantity)

    item = { 'description' => product[:name], 'netAmount' => product[:price], 'quantity' => quantity }
    send_to_pay(Orders.add({ 'billingCurrency' => 'EUR', 'lineItems' => [item] }), response)
  end

  # The key names the order: whoever asks again, even after a crash, gets the same checkout.
  def send_to_pay(order, response)
    unless order['paymentPage']
      checkout = @client.checkouts.create_hosted(
        charge: order['charge'],
        webhook: "#{@url}/webhook",
        pageSettings: { shopName: 'The tea shop', returnUrl: "#{@url}/orders/#{order['id']}" },
        meta: { order: order['id'] },
        idempotency_key: "order-#{order['id']}"
      )
      Orders.change(order['id'], 'checkoutId' => checkout['id'], 'paymentPage' => checkout['url'])
    end
    response.status = 303
    response['Location'] = order['paymentPage'] || checkout['url']
  end

  # Anybody can send anything here. Every answer but 2xx makes Quittance try again, for days.
  def hear_webhook(body, headers)
    webhook = Quittance::Webhook.read(
      body, headers, webhook_secret: ENV['QUITTANCE_WEBHOOK_SECRET'], api_secret: @api_secret
    )
    return 401 unless webhook.genuine?

    checkout = webhook.event.data['checkout']
    return 200 unless checkout # Not about a checkout.

    order = Orders.find(checkout.dig('meta', 'order'))
    return 409 unless order && for?(order, checkout) # Not what was ordered here.

    before = Orders.change(order['id'], 'state' => checkout['state'])
    # The same event may come twice, but an order becomes paid once.
    puts "Order #{order['id']} is paid: send it." if Orders.paid?(checkout) && !Orders.paid?(before)
    200
  end

  # A genuine webhook may be about another checkout: whoever makes one for us can write any order into its `meta`.
  def for?(order, checkout)
    charge = checkout['payload']['charge']
    checkout['id'] == order['checkoutId'] &&
      charge['billingCurrency'] == order['charge']['billingCurrency'] &&
      Quittance.charge_total(charge) == Quittance.charge_total(order['charge'])
  end

  def show_order(request, response)
    _, id, action = *request.path.match(%r{\A/orders/([^/]+)(/pay)?\z})
    order = Orders.find(id)
    return show(response, 404, Pages.problem('There is nothing here.')) unless order
    return send_to_pay(order, response) if request.request_method == 'POST' && action

    show(response, 200, Pages.order(order))
  end

  def show(response, status, html)
    response.status = status
    response['Content-Type'] = 'text/html; charset=utf-8'
    response.body = html
  end
end

access = read_access
shop = Shop.new(access)
begin
  shop.check
rescue Quittance::Error => e
  abort "Quittance at #{access['baseUrl']} does not let the shop in. Does it run? #{e.message}"
end
$stdout.sync = true
server = WEBrick::HTTPServer.new(
  BindAddress: '127.0.0.1', Port: ENV.fetch('PORT', 3003).to_i, AccessLog: [], Logger: WEBrick::Log.new(nil, WEBrick::Log::WARN)
)
own_url = "http://127.0.0.1:#{server.listeners.first.addr[1]}"
shop.url = ENV.fetch('SHOP_URL', own_url) # Unless something stands in front of it.
server.mount_proc('/') { |request, response| shop.answer(request, response) }
%w[INT TERM].each { |signal| trap(signal) { server.shutdown } }
puts "The shop is open: #{own_url}"
server.start
