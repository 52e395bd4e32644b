# frozen_string_literal: true

# A worker of ../contention.py: ruby contention.rb COMPONENT STORE SEED SECONDS CACHE
require_relative 'weir'

component, store, seed, seconds, cache = ARGV
weir = Weir.new(component, store, cache: cache.empty? ? nil : cache)
session = "session #{seed}"

# A text that its reader can make again; every third is the same for all workers.
text = lambda do |of|
  name = (of % 3).zero? ? 'all' : seed
  (0...(400 + of % 7 * 300)).map { |n| "#{name} #{of} line #{n}: #{'x' * (n % 50)}\n" }.join
end

whole = lambda do |id|
  made = +''
  page = {}
  loop do
    page = weir.call('reading.read', { session: session, id: id, start: 0, unit: 'bytes', more: page['more'] })
    made << page['content']
    break unless page['more']
  end
  made
end

kept = {}
turn = 0
now = -> { Process.clock_gettime(Process::CLOCK_MONOTONIC) }
stop = now.call + seconds.to_f
while now.call < stop
  turn += 1
  answer = weir.transform({ session: session, tool: 'tool' }, text.call(turn))
  abort "not stored: #{answer}" if !answer['replaced'] || answer['storeFailure']
  kept[answer['handles'][0]['id']] = turn
  id, of = kept.to_a[turn * 7919 % kept.size]
  abort "#{seed}: #{id} is not what was stored" if whole.call(id) != text.call(of)
  found = weir.call('reading.grep', { session: session, id: id, pattern: "#{of} line 399:" }) if (turn % 4).zero?
  abort "#{found}" if found && found['matches'] != 1
  if (turn % 5).zero?
    weir.forget(session, id)
    kept.delete(id)
  end
  swept = weir.sweep if (turn % 10).zero?
  abort "#{swept}" if swept && swept.values_at('foreign', 'expired') != [0, 0]
end
kept.each { |id, of| abort "#{seed}: #{id} is lost" if whole.call(id) != text.call(of) }
puts JSON.generate({ turns: turn })
