# frozen_string_literal: true

# Accept crypto payments with Quittance: Client calls the API, Webhook.read checks webhooks.
module Quittance
end

require 'quittance/version'
require 'quittance/charge_total'
require 'quittance/client'
require 'quittance/credited_states'
require 'quittance/sign_payment_link'
require 'quittance/webhook'
