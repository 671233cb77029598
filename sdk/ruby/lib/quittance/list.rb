# frozen_string_literal: true

require 'set'
require 'quittance/errors'

module Quittance
  # A part of a list: +items+, and where the +next+ page begins, which is nil for the last one.
  Page = Struct.new(:items, :next, keyword_init: true)

  # A list that comes in pages. Go through all of it with +each+ and everything else that Enumerable has, which asks for
  # the next page when it gets there, or take one page at a time. Nothing is asked for before.
  #
  #   client.checkouts.list(state: 'UNDERPAID').first(10)
  class List
    include Enumerable

    ENDLESS = 'The server names a page that was there already: this list would never end.'
    private_constant :ENDLESS

    # :nodoc:
    def initialize(&ask)
      @ask = ask
    end

    # One page: the first, or the one that begins at +cursor+, the +next+ of the page before.
    def page(cursor = nil)
      @ask.call(cursor)
    end

    # Page by page. A page may be empty without being the last.
    def pages
      return enum_for(:pages) unless block_given?

      cursor = nil
      seen = Set.new
      # Not `loop`, which would take a StopIteration of the caller for the end of the list.
      while true
        page = page(cursor)
        yield page
        cursor = page.next
        break if cursor.nil?
        raise Error, ENDLESS unless seen.add?(cursor)
      end
    end

    def each(&block)
      return enum_for(:each) unless block

      pages { |page| page.items.each(&block) }
      self
    end
  end
end
