# frozen_string_literal: true

# Serves ../conformance/lines.py: ruby lines.rb COMPONENT [CACHE]
require_relative 'weir'

weir = instance = nil
$stdout.sync = true
$stdin.set_encoding(Encoding::UTF_8)
while (line = $stdin.gets)
  name, rest = line.chomp.split(' ', 2)
  begin
    case name
    when 'store'
      instance&.close
      instance = nil
      weir&.close
      weir = Weir.new(ARGV[0], rest, cache: ARGV[1])
      next
    when 'fresh'
      instance&.close
      instance = nil
      next
    when 'export'
      form, snapshot = rest.split(' ', 2)
      exported = weir.catalog(snapshot).export(form)
      answer = { tools: exported.tools, names: exported.names, arguments: exported.arguments }
    when 'maintenance.sweep' then answer = weir.sweep
    when 'maintenance.check' then answer = weir.check
    when /\Ajson\./ then answer = (instance ||= weir.instance).call(name, rest)
    else answer = weir.call(name, rest)
    end
  rescue Weir::Error => e
    answer = { error: e.facts }
  end
  puts JSON.generate(answer)
end
instance&.close
weir&.close
