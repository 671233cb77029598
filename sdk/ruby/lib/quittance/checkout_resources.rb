# frozen_string_literal: true

require 'quittance/api'

module Quittance
  # What is to be paid.
  class Checkouts < Resource
    # A checkout with a payment page: send the customer to its +url+.
    def create_hosted(checkout = {}, idempotency_key: nil, **more)
      api.call('POST', '/checkout/hosted', checkout.merge(more), idempotency_key: idempotency_key)
    end

    # A checkout on a page of your own: show the +paymentMethods+, then +commit+.
    def create(checkout = {}, idempotency_key: nil, **more)
      api.call('POST', '/checkout', checkout.merge(more), idempotency_key: idempotency_key)
    end

    # The customer has chosen (+checkoutId+, +network+, perhaps +asset+): gives the address to pay to, and starts the
    # time to pay.
    def commit(choice = {}, idempotency_key: nil, **more)
      api.call('POST', '/checkout/commit', choice.merge(more), idempotency_key: idempotency_key)
    end

    def get(id)
      api.call('GET', '/checkout', { id: id })['checkout']
    end

    # Newest first.
    def list(filter = {}, **more)
      api.list('/checkouts', filter.merge(more), 'checkouts')
    end

    # What happened to a checkout, oldest first.
    def timeline(id)
      api.call('GET', '/checkout/timeline', { id: id })['timeline']
    end

    # What the service makes of a charge. Nothing is stored. Quittance.charge_total finds the same without asking.
    def total(charge = {}, **more)
      api.call('POST', '/checkout/validate-checkout-charge', { charge: charge.merge(more) })
    end

    # Possible before any payment.
    def cancel(checkout_id, idempotency_key: nil)
      decide('/checkout/cancel', checkout_id, idempotency_key)
    end

    # Credits what arrived although it is less than the price.
    def accept_underpayment(checkout_id, idempotency_key: nil)
      decide('/checkout/accept-underpayment', checkout_id, idempotency_key)
    end

    # Keeps what arrived beyond the price.
    def accept_excess(checkout_id, idempotency_key: nil)
      decide('/checkout/accept-excess', checkout_id, idempotency_key)
    end

    private

    def decide(path, checkout_id, idempotency_key)
      api.call('POST', path, { checkoutId: checkout_id }, idempotency_key: idempotency_key)['checkout']
    end
  end

  # Money that goes back to customers.
  class Refunds < Resource
    # All of a checkout or a part of it. Without an address the reply has the link where the customer enters one.
    def create(refund = {}, idempotency_key: nil, **more)
      api.call('POST', '/refund', refund.merge(more), idempotency_key: idempotency_key)
    end

    # By another API key than the one that asked for it.
    def approve(id, idempotency_key: nil)
      api.call('POST', '/refund/approve', { id: id }, idempotency_key: idempotency_key)
    end

    def cancel(id, idempotency_key: nil)
      api.call('POST', '/refund/cancel', { id: id }, idempotency_key: idempotency_key)['refund']
    end

    def get(id)
      api.call('GET', '/refund', { id: id })['refund']
    end

    # Newest first; of one checkout oldest first.
    def list(filter = {}, **more)
      api.list('/refunds', filter.merge(more), 'refunds')
    end
  end

  # Who pays.
  class Customers < Resource
    # Gives the id. The same e-mail address again gives the same one, with the new fields.
    def create(customer = {}, idempotency_key: nil, **more)
      api.call('POST', '/customer', { customer: customer.merge(more) }, idempotency_key: idempotency_key)['customerId']
    end

    # +id+ and what changes. Fields that are left out stay as they are; an empty text empties a field.
    def change(customer = {}, idempotency_key: nil, **more)
      api.call('PUT', '/customer', { customer: customer.merge(more) }, idempotency_key: idempotency_key)
      nil
    end

    def delete(id, idempotency_key: nil)
      api.call('DELETE', '/customer', { id: id }, idempotency_key: idempotency_key)
      nil
    end

    def get(id)
      api.call('GET', '/customer', { id: id })['customer']
    end

    # Newest first.
    def list(filter = {}, **more)
      api.list('/customers', filter.merge(more), 'customers')
    end
  end

  # Receipts, invoices and credit notes, as they were issued.
  class Papers < Resource
    def get(id)
      api.call('GET', '/paper', { id: id })['paper']
    end

    # Newest first.
    def list(filter = {}, **more)
      api.list('/papers', filter.merge(more), 'papers')
    end

    # It moves no money: what is refunded gets a credit note by itself.
    def credit(note = {}, idempotency_key: nil, **more)
      api.call('POST', '/credit-note', note.merge(more), idempotency_key: idempotency_key)['paper']
    end

    # Once more by e-mail, to the buyer.
    def send_again(id, idempotency_key: nil)
      api.call('POST', '/paper/send', { id: id }, idempotency_key: idempotency_key)
    end
  end

  # What can be paid many times. Quittance.sign_payment_link makes addresses with an amount, without a request.
  class PaymentLinks < Resource
    # Its +url+ can be shared, printed and put on a page; it is never changed, only closed.
    def create(link = {}, idempotency_key: nil, **more)
      api.call('POST', '/payment-link', link.merge(more), idempotency_key: idempotency_key)['paymentLink']
    end

    def get(id)
      api.call('GET', '/payment-link', { id: id })['paymentLink']
    end

    # What amounts are signed with, for a link with +signedOnly+.
    def secret(id)
      api.call('GET', '/payment-link/secret', { id: id })['secret']
    end

    def close(id, idempotency_key: nil)
      api.call('POST', '/payment-link/close', { id: id }, idempotency_key: idempotency_key)['paymentLink']
    end

    # Newest first.
    def list(filter = {}, **more)
      api.list('/payment-links', filter.merge(more), 'paymentLinks')
    end

    # Those that were begun from the link, newest first, paid or not.
    def checkouts(id, filter = {}, **more)
      api.list('/payment-link/checkouts', filter.merge(more, id: id), 'checkouts')
    end
  end

  # Money that arrives without a charge.
  class Deposits < Resource
    # Gives an address.
    def create(deposit = {}, idempotency_key: nil, **more)
      api.call('POST', '/deposit-address', deposit.merge(more), idempotency_key: idempotency_key)
    end

    def get(id)
      api.call('GET', '/deposit', { id: id })['deposit']
    end

    def close(id, idempotency_key: nil)
      api.call('POST', '/deposit/close', { id: id }, idempotency_key: idempotency_key)['deposit']
    end

    # Newest first.
    def list(filter = {}, **more)
      api.list('/deposits', filter.merge(more), 'deposits')
    end
  end
end
