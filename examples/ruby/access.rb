# frozen_string_literal: true

require 'json'

# Key, secret and address: from the environment, or of the sandbox that `npm start` has made.
def read_access
  given = { 'apiKey' => ENV['QUITTANCE_KEY'], 'apiSecret' => ENV['QUITTANCE_SECRET'], 'baseUrl' => ENV['QUITTANCE_URL'] }
  return given if given.values.all?

  repository = File.expand_path('../..', __dir__)
  file = File.expand_path('access.json', File.expand_path(ENV.fetch('DATA_DIR', 'data'), repository))
  JSON.parse(File.read(file))
rescue Errno::ENOENT
  abort "There is no #{file}: run npm start first, or set QUITTANCE_KEY, QUITTANCE_SECRET and QUITTANCE_URL."
end
