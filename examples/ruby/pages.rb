# frozen_string_literal: true

require 'quittance'
require_relative 'orders'

# What the customer sees.
module Pages
  module_function

  def shop(products)
    choices = products.map do |id, product|
      %(<p><label><input type="radio" name="product" value="#{id}" required> #{product[:name]}, #{product[:price]} EUR</label>)
    end
    page 'The tea shop', <<~HTML
      <form method="post" action="/orders">
      #{choices.join("\n")}
      <p><label>How many? <input type="number" name="quantity" value="1" min="1" max="99" required></label>
      <p><button>Order and pay</button>
      </form>
    HTML
  end

  def order(order)
    charge = order['charge']
    item = charge['lineItems'].first
    total = format('%.2f', Quittance.charge_total(charge).to_r)
    pay = %(<form method="post" action="/orders/#{order['id']}/pay"><button>Pay</button></form>)
    page 'Your order', <<~HTML
      <p>#{item['quantity']} × #{item['description']}: #{total} #{charge['billingCurrency']}
      <p><strong>#{sentence_of(order)}</strong>
      #{pay if order['state'].nil?}
      <p><a href="">Look again</a> <a href="/">Back to the shop</a>
    HTML
  end

  def problem(sentence)
    page 'Oh', "<p>#{sentence}"
  end

  def sentence_of(order)
    return 'It is paid. Thank you!' if Orders.paid?(order)
    return 'You got your money back.' if order['state'] == 'REFUNDED'
    return 'Too little has arrived. We will write to you.' if order['state'] == 'UNDERPAID'

    'It is not paid yet.'
  end

  def page(title, body)
    <<~HTML
      <!doctype html>
      <html lang="en">
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width">
      <title>#{title}</title>
      <style>body { font: 1.1rem/1.6 system-ui; max-width: 32rem; margin: 3rem auto; padding: 0 1rem }</style>
      <h1>#{title}</h1>
      #{body}
      </html>
    HTML
  end
end
