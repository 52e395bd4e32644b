# frozen_string_literal: true

# WEIR_LIBRARY=… WEIR_COMPONENT=… ruby test.rb [CACHE]
require 'tmpdir'
require_relative 'weir'

def check(what, holds)
  abort "FAILED: #{what}" unless holds
end

lines = (1..9000).map { |n| "#{n}: all is well\n" }.join
Dir.mktmpdir do |folder|
  weir = Weir.new(ENV.fetch('WEIR_COMPONENT'), "#{folder}/store", cache: ARGV[0])
  shown = 8.times.map { |n| Thread.new { weir.show("session #{n}", 'read_log', lines + n.to_s) } }.map(&:value)
  check 'threads get excerpts', shown.all? { |one| one.length < 8000 && one.include?('excerpt') }
  check 'a NUL stays', weir.show('alice', 'tool', "a\0b") == "a\0b"
  check 'small results stay', weir.show('alice', 'tool', 'é') == 'é'
  check 'bytes that are not UTF-8', weir.show('alice', 'tool', "caf\xE9".b).start_with?('caf')

  intake = weir.intake({ session: 'alice', tool: 'stream' })
  intake << "\xC3".b << "\xA9\n".b << lines
  id = intake.finish['handles'][0]['id']
  page = weir.call('reading.read', { session: 'alice', id: id, start: 1, count: 1 })
  check 'pieces are whole', page['content'] == "é\n"

  begin
    weir.call('reading.stat', { session: 'bob', id: id })
    check 'another session is refused', false
  rescue Weir::Error => e
    check 'a refusal has its code', e.code == 'unknown'
  end

  tools = (0...2000).map { |n| { name: "tool_#{n}", description: n == 250 ? 'Send an invoice to a customer' : 'Does something' } }
  catalog = weir.catalog({ servers: [{ name: 'all', tools: tools }] })
  check 'the bridge is active', catalog.assemble['active']
  found = catalog.invoke('tool_search', { query: 'send an invoice' })
  check 'the tool is found', found['result']['content'][0]['text'].include?('tool_250')
  catalog.close

  schema = { type: 'object', properties: { '$filter' => { type: 'string' } } }
  catalog = weir.catalog({ tools: [{ name: 'list.files', inputSchema: schema }, { name: 'send', pinned: true }] })
  exported = catalog.export('anthropic-bm25')
  check 'the provider searches', exported.tools[0]['type'] == 'tool_search_tool_bm25_20251119'
  seen = exported.names.key('list.files')
  shown = exported.arguments[seen].key('$filter')
  [{ shown => 'a', 'none' => 1 }, { shown.to_sym => 'a', none: 1 }, JSON.generate({ shown => 'a', 'none' => 1 })].each do |given|
    called = catalog.invoke(*exported.call(seen, given), {})['calls'][0]
    check 'a call leads back', called.values_at('name', 'arguments') == ['list.files', { '$filter' => 'a', 'none' => 1 }]
  end
  check 'what is no JSON stays', exported.call(seen, 'no JSON') == ['list.files', 'no JSON']
  check 'what was not exported stays', exported.call('nowhere', nil) == ['nowhere', nil]
  check 'settings count', catalog.export(:openai, mode: 'off').tools.length == 2
  begin
    catalog.export('bedrock')
    check 'another form is refused', false
  rescue Weir::Error => e
    check 'a form has its error', e.code == 'invalid' && e.facts['names'].include?('openai-chat')
  end
  catalog.close

  check 'the store is whole', !weir.sweep.key?('more') && weir.check['corrupt'].zero?
  weir.close

  # Whatever is closed first, a later call is an error and nothing crashes.
  kept = nil
  Weir.open(ENV.fetch('WEIR_COMPONENT'), "#{folder}/store", cache: ARGV[0]) do |weir|
    kept = [weir, weir.catalog({ tools: [{ name: 'one' }] }), weir.intake({ session: 'alice', tool: 'stream' }), weir.instance]
    done = weir.intake({ session: 'alice', tool: 'stream' })
    done << 'x'
    check 'small pieces stay', done.finish['replaced'] == false
    kept << done
  end
  late = [
    -> { kept[0].status }, -> { kept[0].show('alice', 'tool', lines) }, -> { kept[0].catalog({}) }, -> { kept[1].assemble },
    -> { kept[2] << 'late' }, -> { kept[2].finish }, -> { kept[3].call('json.about', []) }, -> { kept[4] << 'late' },
  ]
  [late, late].each do |calls|
    calls.each_with_index do |call, n|
      call.call
      check "what is closed is refused (#{n})", false
    rescue IOError => e
      check 'it says so', e.message == 'it is closed: open another'
    end
    2.times { kept.each(&:close) }
  end
end
puts 'all is well'
