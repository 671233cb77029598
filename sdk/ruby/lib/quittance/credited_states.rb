# frozen_string_literal: true

module Quittance
  # In one of these a checkout was credited to the account: ship the goods. No other state means that.
  CREDITED_STATES = %w[COMPLETED DELAYED_COMPLETED RESOLVED].freeze
end
