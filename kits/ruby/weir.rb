# frozen_string_literal: true

require 'fiddle/import'
require 'json'

# Weir keeps large tool results out of a model's context, and searches over many tools. A layer over libweir (kits/c),
# which `WEIR_LIBRARY` names unless it is installed. docs/embedding/ruby.md is the guide.
#
# Any number of threads may use one Weir: calls run side by side.
class Weir
  # What the component or the library refused: `code` is a word of the contract or of weir.h, `facts` the rest.
  class Error < StandardError
    attr_reader :code, :facts

    def initialize(facts)
      @code = facts['code']
      @facts = facts
      super("#{facts['code']}: #{facts['message']}")
    end
  end

  # The functions of weir.h.
  module Native
    extend Fiddle::Importer
    dlload ENV.fetch('WEIR_LIBRARY', 'libweir.so')
    extern 'void *weir_open(char *, char *, void *, void *)'
    extern 'void weir_close(void *)'
    extern 'void weir_free(void *)'
    extern 'void *weir_show_sized(void *, char *, char *, char *, size_t, void *)'
    extern 'void *weir_transform(void *, char *, char *, size_t)'
    extern 'void *weir_result_tools(void *)'
    extern 'void *weir_invoke(void *, char *, char *, char *)'
    extern 'void *weir_pin(void *, char *, char *, int)'
    extern 'void *weir_forget(void *, char *, char *)'
    extern 'void *weir_about(void *)'
    extern 'void *weir_configure(void *, char *)'
    extern 'void *weir_status(void *)'
    extern 'void *weir_sweep(void *)'
    extern 'void *weir_check(void *, int)'
    extern 'void *weir_call(void *, char *, char *)'
    extern 'void *weir_instance_new(void *, void *)'
    extern 'void *weir_instance_call(void *, char *, char *)'
    extern 'void weir_instance_drop(void *)'
    extern 'void *weir_intake_open(void *, char *, void *)'
    extern 'void *weir_intake_write(void *, char *, size_t)'
    extern 'void *weir_intake_finish(void *, int)'
    extern 'void weir_intake_drop(void *)'
    extern 'void *weir_catalog_open(void *, char *, size_t, void *)'
    extern 'void *weir_catalog_assemble(void *, char *)'
    extern 'void *weir_catalog_invoke(void *, char *, char *, char *)'
    extern 'void *weir_catalog_export(void *, char *, char *)'
    extern 'void weir_catalog_drop(void *)'

    # A text that the library made; it is released.
    def self.text(made)
      made.to_s.force_encoding(Encoding::UTF_8)
    ensure
      weir_free(made)
    end

    # An answer, or an Error.
    def self.answer(made)
      read = JSON.parse(text(made), max_nesting: false)
      raise Error, read['error'] if read.is_a?(Hash) && read['error']

      read
    end

    # A text as it is, anything else as JSON. In C a zero byte would end a text.
    def self.given(value)
      made = value.is_a?(String) ? value : JSON.generate(value || {}, max_nesting: 0)
      raise ArgumentError, 'a zero byte in an argument' if made.include?("\0")

      made
    end

    # What a function that opens something gives, and the text that it leaves.
    def self.opened
      left = Fiddle::Pointer.malloc(Fiddle::SIZEOF_VOIDP, Fiddle::RUBY_FREE)
      left[0, Fiddle::SIZEOF_VOIDP] = "\0" * Fiddle::SIZEOF_VOIDP
      [yield(left), left.ptr]
    end
  end

  # A pointer of the library. It is released when it is closed and the last call that uses it is done; what was made of it
  # keeps it, too.
  class Held
    def initialize(pointer, parent = nil, &release)
      @pointer = pointer
      @parent = parent
      @release = release
      @lock = Mutex.new
      @users = 1
      @closed = false
      parent&.keep
    end

    # Runs a function of the library on it and texts.
    def ask(function, *given) = use { |pointer| Native.answer(Native.weir_catalog_open(pointer, *given)) }

    def use
      keep
      begin
        raise IOError, CLOSED if @parent&.closed?

        yield @pointer
      ensure
        leave
      end
    end

    def close
      @lock.synchronize do
        return if @closed

        @closed = true
      end
      leave
    end

    def closed? = @closed

    def keep
      @lock.synchronize do
        raise IOError, CLOSED if @closed

        @users += 1
      end
    end

    def leave
      return unless @lock.synchronize { (@users -= 1).zero? }

      @release.call(@pointer)
      @parent&.leave
    end

    CLOSED = 'it is closed: open another'
  end
  private_constant :Held

  # Opens the store in `directory`, which is made with mode 0700 if needed; nil for tool search alone. `component` is
  # the file weir.wasm; `cache` a directory for compiled code, without which each start compiles for some seconds;
  # `settings` the tables transform, fetch and store.
  def initialize(component, directory, cache: nil, settings: nil)
    kept = [cache, settings && Native.given(settings)].map { |one| one && Fiddle::Pointer[one.to_s] }
    options = Fiddle::Pointer.malloc(4 * Fiddle::SIZEOF_VOIDP, Fiddle::RUBY_FREE)
    options[0, 4 * Fiddle::SIZEOF_VOIDP] = [*kept.map { |one| one ? one.to_i : 0 }, 0, 0].pack('J4')
    made, failed = Native.opened { |left| Native.weir_open(component.to_s, directory&.to_s, options, left) }
    raise IOError, Native.text(failed) if made.null?

    @held = Held.new(made) { |weir| Native.weir_close(weir) }
  end

  # As new; with a block it is closed at the block's end.
  def self.open(...)
    made = new(...)
    return made unless block_given?

    begin
      yield made
    ensure
      made.close
    end
  end

  # Closes it. Later calls, of its instances, catalogs and intakes too, are an IOError.
  def close = @held.close

  # What to show a model in a text's place: an excerpt with a handle, or the text itself. When Weir fails, the text
  # comes back as it is.
  def show(session, tool, text)
    size = Fiddle::Pointer.malloc(Fiddle::SIZEOF_SIZE_T, Fiddle::RUBY_FREE)
    names = [Native.given(session), Native.given(tool)]
    shown = @held.use { |weir| Native.weir_show_sized(weir, *names, text, text.bytesize, size) }
    begin
      shown[0, size[0, Fiddle::SIZEOF_SIZE_T].unpack1('J')].force_encoding(Encoding::UTF_8)
    ensure
      Native.weir_free(shown)
    end
  end

  # The same for a result of MCP's tools/call. `call` is { session:, tool:, … }. Show "result" of the answer.
  def transform(call, result)
    text = result.is_a?(String) ? result : JSON.generate(result, max_nesting: 0)
    @held.ask(:weir_transform, Native.given(call), text, text.bytesize)
  end

  # The tools over stored results, as MCP lists them.
  def result_tools = @held.ask(:weir_result_tools)['tools']

  # What one of these tools answers to what a model sent: a result of MCP's tools/call.
  def invoke(session, name, arguments)
    @held.ask(:weir_invoke, Native.given(session), Native.given(name), Native.given(arguments))
  end

  # Keeps a stored result from expiry and eviction, or no longer.
  def pin(session, id, pinned: true) = @held.ask(:weir_pin, Native.given(session), Native.given(id), pinned ? 1 : 0)

  # Deletes a stored result.
  def forget(session, id) = @held.ask(:weir_forget, Native.given(session), Native.given(id))

  # What the component is.
  def about = @held.ask(:weir_about)

  # Uses these settings from now on.
  def configure(settings) = @held.ask(:weir_configure, Native.given(settings))

  # The state of the store.
  def status = @held.ask(:weir_status)

  # Sweeps the whole store: at start and once an hour.
  def sweep = @held.ask(:weir_sweep)

  # Reads every stored byte and compares; with `repair`, puts right what can be.
  def check(repair: false) = @held.ask(:weir_check, repair ? 1 : 0)

  # Calls any function of the contract, such as "reading.grep", with its arguments by name in camel case.
  def call(function, arguments = {}) = @held.ask(:weir_call, Native.given(function), Native.given(arguments))

  # An instance that serves many calls, one after another.
  def instance = Instance.new(@held)

  # Takes a large result piece by piece, in constant memory. `call` is as for transform.
  def intake(call) = Intake.new(@held, call)

  # Builds a catalog of { servers: [{ name:, tools: }] }, or of one result of tools/list.
  def catalog(snapshot) = Catalog.new(@held, Native.given(snapshot))

  # An instance that serves many calls.
  class Instance
    def initialize(weir)
      made, failed = weir.use { |pointer| Native.opened { |left| Native.weir_instance_new(pointer, left) } }
      Native.answer(failed) if made.null?
      @held = Held.new(made, weir) { |instance| Native.weir_instance_drop(instance) }
    end

    def call(function, arguments = {}) = @held.ask(:weir_instance_call, Native.given(function), Native.given(arguments))

    def close = @held.close
  end

  # A large result that arrives in pieces, which may end anywhere.
  class Intake
    def initialize(weir, call)
      given = Native.given(call)
      made, failed = weir.use { |pointer| Native.opened { |left| Native.weir_intake_open(pointer, given, left) } }
      Native.answer(failed) if made.null?
      # What is finished is consumed: there is nothing left to drop.
      @held = Held.new(made, weir) { |intake| Native.weir_intake_drop(intake) unless @finished }
    end

    def <<(piece)
      @held.ask(:weir_intake_write, piece, piece.bytesize)
      self
    end

    # Ends it. Answers as transform.
    def finish(is_error: false)
      @held.use do |intake|
        @finished = true
        Native.answer(Native.weir_intake_finish(intake, is_error ? 1 : 0))
      ensure
        close
      end
    end

    # Drops what is not finished: it leaves nothing behind.
    def close = @held.close
  end

  # A catalog of tools.
  class Catalog
    # The digest and the diagnostics.
    attr_reader :opened

    def initialize(weir, from)
      made, answer = weir.use do |pointer|
        Native.opened { |left| Native.weir_catalog_open(pointer, from, from.bytesize, left) }
      end
      @opened = Native.answer(answer)
      @held = Held.new(made, weir) { |catalog| Native.weir_catalog_drop(catalog) }
    end

    # What to show a model: "active", "tools", …
    def assemble(settings = {}) = @held.ask(:weir_catalog_assemble, Native.given(settings))

    # Answers a call to a bridge tool: "result" to show, or "calls" to dispatch, with "conversation" to hand in the
    # next time.
    def invoke(name, arguments, conversation = {})
      @held.ask(:weir_catalog_invoke, *[name, arguments, conversation].map { |one| Native.given(one) })
    end

    # The tools as a model API takes them, in the tools of a request to it: with the provider's own search
    # (anthropic-bm25, anthropic-regex, openai-search), or with the bridge tools (anthropic, gemini, openai for
    # Responses, openai-chat for Chat Completions and what is like it, mcp). Settings as for assemble, whose mode is on
    # here.
    #
    # Give a model's call to invoke by Export#call, whatever the form. An Error has the code "invalid" for another form,
    # and "too-many-tools" for more than the API takes.
    def export(form, settings = {})
      Export.new(@held.ask(:weir_catalog_export, Native.given(form.to_s), Native.given(settings)))
    end

    def close = @held.close
  end

  # The tools of a request to a model API, and the way back from the model's call.
  class Export
    # The request's tools; the listing, when it stands in a text of its own (the setting placement is "block"); what the
    # catalog calls each tool, by the name that the model sees; what a tool calls its arguments, by the names that the
    # model sees, where these differ.
    attr_reader :tools, :block, :names, :arguments

    def initialize(made)
      @tools, @block, @names, @arguments = made.values_at('tools', 'block', 'names', 'arguments')
    end

    # A model's call as the catalog knows it: catalog.invoke(*exported.call(name, arguments), conversation). Arguments
    # are a Hash or JSON text. Whatever was not exported stays as it is: invoke answers it.
    def call(name, arguments)
      changed = @arguments[name]
      given = changed && parsed(arguments)
      arguments = given.transform_keys { |key| changed.fetch(key.to_s, key) } if given.is_a?(Hash)
      [@names.fetch(name, name), arguments]
    end

    private

    def parsed(arguments)
      arguments.is_a?(String) ? JSON.parse(arguments, max_nesting: false) : arguments
    rescue JSON::ParserError
      nil
    end
  end
end
