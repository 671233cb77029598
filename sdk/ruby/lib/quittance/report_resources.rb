# frozen_string_literal: true

require 'quittance/api'

module Quittance
  # Reports over closed days, and files of them.
  #
  # A period is a day, month, quarter or year: 2026-10-17, 2026-10, 2026-Q4, 2026. Without one it is the month of the
  # last closed day.
  class Reports < Resource
    def statement(period = nil)
      api.call('GET', '/reports/statement', { period: period })['statement']
    end

    def tax(period = nil)
      api.call('GET', '/reports/tax', { period: period })
    end

    def fees(period = nil)
      api.call('GET', '/reports/fees', { period: period })
    end

    # The checkout ledger: credits and refunds, in the order of time.
    def checkouts(period = nil)
      api.list('/reports/checkouts', { period: period }, 'rows')
    end

    # Transfers and disposals, in the order of time.
    def disposals(period = nil)
      api.list('/reports/disposals', { period: period }, 'rows')
    end

    # A list of any length as a file that is made in the background: ask +export+ until it is READY.
    def create_export(wanted = {}, idempotency_key: nil, **more)
      api.call('POST', '/reports/exports', wanted.merge(more), idempotency_key: idempotency_key)['export']
    end

    def export(id)
      api.call('GET', '/reports/exports', { id: id })['export']
    end

    # Gives an ExportFile.
    def export_file(id)
      api.file('/reports/exports/file', { id: id })
    end

    def delete_export(id, idempotency_key: nil)
      api.call('DELETE', '/reports/exports', { id: id }, idempotency_key: idempotency_key)['export']
    end
  end

  # The log of what was sent to your server. To check what arrives there: Webhook.read.
  class WebhookDeliveries < Resource
    # Newest first.
    def list(filter = {}, **more)
      api.list('/webhook-deliveries', filter.merge(more), 'deliveries')
    end

    # Sends an event again, with the same id. Gives the id of the new delivery.
    def redeliver(delivery_id, idempotency_key: nil)
      wish = { deliveryId: delivery_id }
      api.call('POST', '/webhook-deliveries/redeliver', wish, idempotency_key: idempotency_key)['deliveryId']
    end
  end
end
