# frozen_string_literal: true

require_relative 'lib/quittance/version'

Gem::Specification.new do |spec|
  spec.name = 'quittance'
  spec.version = Quittance::VERSION
  spec.summary = 'Accept crypto payments with Quittance.'
  spec.description = 'Checkouts, refunds, transfers and webhooks of Quittance, a payment service that you run yourself.'
  spec.authors = ['The Quittance authors']
  spec.license = 'MIT'
  spec.required_ruby_version = '>= 3.0'
  spec.files = Dir['lib/**/*.rb', 'sig/*.rbs'] + %w[README.md CHANGELOG.md LICENSE]
  spec.require_paths = ['lib']
  spec.metadata['rubygems_mfa_required'] = 'true'
end
