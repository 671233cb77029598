# frozen_string_literal: true

module Quittance
  VERSION = '0.1.0'
end
