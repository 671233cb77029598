# frozen_string_literal: true

require 'quittance/api'

module Quittance
  # What an account holds.
  class Wallets < Resource
    # What the account holds of every asset (+wallets+), and what that is worth.
    def list
      api.call('GET', '/wallets')
    end

    # By asset code or asset id.
    def get(asset_code)
      api.call('GET', '/wallet', { assetCode: asset_code })
    end

    # What happened to the money, newest first.
    def entries(filter = {}, **more)
      api.list('/ledger-entries', filter.merge(more), 'entries')
    end
  end

  # One asset for another.
  class Swaps < Resource
    # A price that holds for a minute, and for one swap: +sourceAsset+, +targetAsset+, and an amount of one of them.
    def quote(question = {}, **more)
      api.call('GET', '/swap/quote', question.merge(more))
    end

    # At the price of a quote (+quoteId+), or at once.
    def create(swap = {}, idempotency_key: nil, **more)
      api.call('POST', '/swap', swap.merge(more), idempotency_key: idempotency_key)['swap']
    end

    def get(id)
      api.call('GET', '/swap', { id: id })['swap']
    end

    # Newest first.
    def list(filter = {}, **more)
      api.list('/swaps', filter.merge(more), 'swaps')
    end
  end

  # Money that leaves an account.
  class Transfers < Resource
    # What a transfer would cost now, and whether it would have to wait.
    def estimate(question = {}, **more)
      api.call('GET', '/transfer/estimate', question.merge(more))
    end

    # Sends money. Give an idempotency key of your own, such as the number of the payout in your books: then it is sent
    # once, even if your program dies and asks again.
    def create(transfer = {}, idempotency_key: nil, **more)
      api.call('POST', '/transfer', transfer.merge(more), idempotency_key: idempotency_key)
    end

    # By another API key than the one that asked for it.
    def approve(id, idempotency_key: nil)
      api.call('POST', '/transfer/approve', { id: id }, idempotency_key: idempotency_key)['transfer']
    end

    def cancel(id, idempotency_key: nil)
      api.call('POST', '/transfer/cancel', { id: id }, idempotency_key: idempotency_key)['transfer']
    end

    def get(id)
      api.call('GET', '/transfer', { id: id })['transfer']
    end

    # Newest first.
    def list(filter = {}, **more)
      api.list('/transfers', filter.merge(more), 'transfers')
    end
  end

  # Destinations of transfers, by label.
  class TargetAccounts < Resource
    def create(target_account = {}, idempotency_key: nil, **more)
      api.call('POST', '/target-account', target_account.merge(more), idempotency_key: idempotency_key)['targetAccount']
    end

    # +id+ and what changes.
    def change(target_account = {}, idempotency_key: nil, **more)
      create(target_account.merge(more), idempotency_key: idempotency_key)
    end

    # By its +id+ or +label+.
    def get(which = {}, **more)
      api.call('GET', '/target-account', which.merge(more))['targetAccount']
    end

    # By its +id+ or +label+.
    def delete(which = {}, idempotency_key: nil, **more)
      api.call('DELETE', '/target-account', which.merge(more), idempotency_key: idempotency_key)
      nil
    end

    def list(filter = {}, **more)
      api.list('/target-accounts', filter.merge(more), 'targetAccounts')
    end
  end

  # Who receives what an account sends.
  class Beneficiaries < Resource
    # Gives the id.
    def create(beneficiary = {}, idempotency_key: nil, **more)
      wish = { beneficiary: beneficiary.merge(more) }
      api.call('POST', '/beneficiary', wish, idempotency_key: idempotency_key)['beneficiaryId']
    end

    # +id+ and what changes. Fields that are left out stay as they are; an empty text empties a field.
    def change(beneficiary = {}, idempotency_key: nil, **more)
      api.call('PUT', '/beneficiary', { beneficiary: beneficiary.merge(more) }, idempotency_key: idempotency_key)
      nil
    end

    def delete(id, idempotency_key: nil)
      api.call('DELETE', '/beneficiary', { id: id }, idempotency_key: idempotency_key)
      nil
    end

    def get(id)
      api.call('GET', '/beneficiary', { id: id })['beneficiary']
    end

    # Newest first.
    def list(filter = {}, **more)
      api.list('/beneficiaries', filter.merge(more), 'beneficiaries')
    end
  end
end
