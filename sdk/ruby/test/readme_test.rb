# frozen_string_literal: true

require_relative 'test_helper'

# What README.md shows works.
class ReadmeTest < Minitest::Test
  README = File.read(File.expand_path('../README.md', __dir__), encoding: 'UTF-8')
  EXAMPLES = README.scan(/^```ruby\n(.*?)^```$/m).flatten

  def test_every_example_can_be_read
    assert_operator EXAMPLES.size, :>, 5
    EXAMPLES.each { |code| RubyVM::InstructionSequence.compile("-> do\n#{code}\nend") }
  end

  def test_the_first_example_makes_a_checkout
    skip 'There is no gateway here: run `npm test -- php-and-ruby`.' unless ENV.key?('QUITTANCE_URL')

    code = EXAMPLES.find { |example| example.include?('redirect_to') }
                   .gsub('YOUR-KEY', ENV.fetch('QUITTANCE_KEY'))
                   .gsub('YOUR-SECRET', ENV.fetch('QUITTANCE_SECRET'))
                   .gsub('https://pay.example/api/v1', ENV.fetch('QUITTANCE_URL'))
                   .sub(/^redirect_to (.+), .*$/, '\1')
    assert_match %r{\Ahttps://pay\.test/}, Object.new.instance_eval(code)
  end
end
