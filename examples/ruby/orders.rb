# frozen_string_literal: true

require 'fileutils'
require 'json'
require 'quittance'
require 'securerandom'

# The orders: a file for each, which is there whole or not at all.
module Orders
  FOLDER = ENV.fetch('ORDERS_DIR', File.join(__dir__, 'orders'))
  ONE_AFTER_THE_OTHER = Mutex.new
  FileUtils.mkdir_p(FOLDER)

  module_function

  # The id is random: who knows it may see the order.
  def add(charge)
    keep('id' => SecureRandom.uuid, 'charge' => charge, 'checkoutId' => nil, 'paymentPage' => nil, 'state' => nil)
  end

  # Nil: there is none. What strangers write into an address or a webhook is no path.
  def find(id)
    return unless id.is_a?(String) && id.match?(/\A[0-9a-f-]{36}\z/)

    JSON.parse(File.read(file_of(id)))
  rescue Errno::ENOENT
    nil
  end

  # Gives the order as it was before.
  def change(id, changes)
    ONE_AFTER_THE_OTHER.synchronize do
      before = find(id)
      keep(before.merge(changes))
      before
    end
  end

  def paid?(order)
    Quittance::CREDITED_STATES.include?(order['state'])
  end

  def keep(order)
    draft = "#{file_of(order['id'])}.new"
    File.open(draft, 'w') do |file|
      file.write(JSON.pretty_generate(order))
      file.fsync
    end
    File.rename(draft, file_of(order['id']))
    order
  end

  def file_of(id)
    File.join(FOLDER, "#{id}.json")
  end
end
