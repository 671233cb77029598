# frozen_string_literal: true

require_relative 'test_helper'

# sig/quittance.rbs names every public method, and no other.
class SignaturesTest < Minitest::Test
  SIGNATURES = File.read(File.expand_path('../sig/quittance.rbs', __dir__), encoding: 'UTF-8')
  CLASSES = SIGNATURES.scan(/^  class (\w+)(?: < \w+)?\n(.*?)^  end$/m).to_h

  FOR_ITSELF = %w[about_the_clock?].freeze

  def test_every_class_has_a_signature
    there = Quittance.constants.select { |name| Quittance.const_get(name).is_a?(Class) }
    assert_equal there.map(&:to_s).sort, CLASSES.keys.sort
  end

  def test_every_method_has_a_signature
    CLASSES.each do |name, text|
      given = text.scan(/^    (?:def (?!self\.|initialize)|attr_reader |attr_accessor )([\w?]+):/).flatten
      there = Quittance.const_get(name)
      # What every Struct can do besides is Ruby's own.
      own = there < Struct ? there.members : there.public_instance_methods(false)
      assert_equal own.map(&:to_s).sort - FOR_ITSELF, given.sort, name
    end
  end
end
