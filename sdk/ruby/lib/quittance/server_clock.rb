# frozen_string_literal: true

module Quittance
  # The time at the service, which a signature must be made with. It is learnt once and carried on with a clock that
  # nobody sets, so a machine whose own clock is wrong can sign too. Until then that clock is the best guess.
  class ServerClock
    def self.steady
      Process.clock_gettime(Process::CLOCK_MONOTONIC)
    end

    def now
      offset = @offset
      offset ? (self.class.steady + offset).floor : Time.now.to_i
    end

    def known?
      !@offset.nil?
    end

    # +asked_at+: what +steady+ said when the question was sent; the service looked at its clock after that.
    def learn(time_there, asked_at)
      @offset = time_there - (asked_at + self.class.steady) / 2
    end

    def forget
      @offset = nil
    end
  end
  private_constant :ServerClock
end
