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
    extern 'void *weir_catalog_load(void *, char *, size_t, void *)'
    extern 'void *weir_catalog_assemble(void *, char *)'
    extern 'void *weir_catalog_invoke(void *, char *, char *, char *)'
    extern 'void *weir_catalog_export(void *, char *, char *)'
    extern 'void *weir_catalog_save(void *)'
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

  # Opens the store in `directory`, which is made with mode 0700 if needed; nil for tool search alone. `component` is
  # the file weir.wasm; `cache` a directory for compiled code, without which each start compiles for some seconds;
  # `settings` the tables transform, fetch and store.
  def initialize(component, directory, cache: nil, settings: nil)
    kept = [cache, settings && Native.given(settings)].map { |one| one && Fiddle::Pointer[one.to_s] }
    options = Fiddle::Pointer.malloc(4 * Fiddle::SIZEOF_VOIDP, Fiddle::RUBY_FREE)
    options[0, 4 * Fiddle::SIZEOF_VOIDP] = [*kept.map { |one| one ? one.to_i : 0 }, 0, 0].pack('J4')
    @weir, failed = Native.opened { |left| Native.weir_open(component.to_s, directory&.to_s, options, left) }
    raise IOError, Native.text(failed) if @weir.null?
  end

  # Closes it. Its instances, catalogs and intakes must be closed before.
  def close
    Native.weir_close(@weir)
    @weir = nil
  end

  # What to show a model in a text's place: an excerpt with a handle, or the text itself. When Weir fails, the text
  # comes back as it is.
  def show(session, tool, text)
    size = Fiddle::Pointer.malloc(Fiddle::SIZEOF_SIZE_T, Fiddle::RUBY_FREE)
    shown = Native.weir_show_sized(@weir, Native.given(session), Native.given(tool), text, text.bytesize, size)
    begin
      shown[0, size[0, Fiddle::SIZEOF_SIZE_T].unpack1('J')].force_encoding(Encoding::UTF_8)
    ensure
      Native.weir_free(shown)
    end
  end

  # The same for a result of MCP's tools/call. `call` is { session:, tool:, … }. Show "result" of the answer.
  def transform(call, result)
    text = result.is_a?(String) ? result : JSON.generate(result, max_nesting: 0)
    Native.answer(Native.weir_transform(@weir, Native.given(call), text, text.bytesize))
  end

  # The tools over stored results, as MCP lists them.
  def result_tools = Native.answer(Native.weir_result_tools(@weir))['tools']

  # What one of these tools answers to what a model sent: a result of MCP's tools/call.
  def invoke(session, name, arguments)
    Native.answer(Native.weir_invoke(@weir, Native.given(session), Native.given(name), Native.given(arguments)))
  end

  # Keeps a stored result from expiry and eviction, or no longer.
  def pin(session, id, pinned: true)
    Native.answer(Native.weir_pin(@weir, Native.given(session), Native.given(id), pinned ? 1 : 0))
  end

  # Deletes a stored result.
  def forget(session, id) = Native.answer(Native.weir_forget(@weir, Native.given(session), Native.given(id)))

  # What the component is.
  def about = Native.answer(Native.weir_about(@weir))

  # Uses these settings from now on.
  def configure(settings) = Native.answer(Native.weir_configure(@weir, Native.given(settings)))

  # The state of the store.
  def status = Native.answer(Native.weir_status(@weir))

  # Sweeps the whole store: at start and once an hour.
  def sweep = Native.answer(Native.weir_sweep(@weir))

  # Reads every stored byte and compares; with `repair`, puts right what can be.
  def check(repair: false) = Native.answer(Native.weir_check(@weir, repair ? 1 : 0))

  # Calls any function of the contract, such as "reading.grep", with its arguments by name in camel case.
  def call(function, arguments = {})
    Native.answer(Native.weir_call(@weir, Native.given(function), Native.given(arguments)))
  end

  # An instance that serves many calls, one after another.
  def instance = Instance.new(@weir)

  # Takes a large result piece by piece, in constant memory. `call` is as for transform.
  def intake(call) = Intake.new(@weir, call)

  # Builds a catalog of { servers: [{ name:, tools: }] }, or of one result of tools/list.
  def catalog(snapshot) = Catalog.new(@weir, Native.given(snapshot), :weir_catalog_open)

  # Opens what Catalog#save gave.
  def load_catalog(saved) = Catalog.new(@weir, Native.given(saved), :weir_catalog_load)

  # An instance that serves many calls.
  class Instance
    def initialize(weir)
      @instance, failed = Native.opened { |left| Native.weir_instance_new(weir, left) }
      Native.answer(failed) if @instance.null?
    end

    def call(function, arguments = {})
      Native.answer(Native.weir_instance_call(@instance, Native.given(function), Native.given(arguments)))
    end

    def close
      Native.weir_instance_drop(@instance)
      @instance = nil
    end
  end

  # A large result that arrives in pieces, which may end anywhere.
  class Intake
    def initialize(weir, call)
      @intake, failed = Native.opened { |left| Native.weir_intake_open(weir, Native.given(call), left) }
      Native.answer(failed) if @intake.null?
    end

    def <<(piece)
      raise IOError, 'the intake is finished' unless @intake

      Native.answer(Native.weir_intake_write(@intake, piece, piece.bytesize))
      self
    end

    # Ends it. Answers as transform.
    def finish(is_error: false)
      raise IOError, 'the intake is finished' unless @intake

      ended = @intake
      @intake = nil
      Native.answer(Native.weir_intake_finish(ended, is_error ? 1 : 0))
    end

    # Drops what is not finished: it leaves nothing behind.
    def close
      Native.weir_intake_drop(@intake) if @intake
      @intake = nil
    end
  end

  # A catalog of tools.
  class Catalog
    # The digest and the diagnostics.
    attr_reader :opened

    def initialize(weir, from, function)
      @catalog, answer = Native.opened { |left| Native.public_send(function, weir, from, from.bytesize, left) }
      @opened = Native.answer(answer)
    end

    # What to show a model: "active", "tools", …
    def assemble(settings = {}) = Native.answer(Native.weir_catalog_assemble(@catalog, Native.given(settings)))

    # Answers a call to a bridge tool: "result" to show, or "calls" to dispatch, with "conversation" to hand in the
    # next time.
    def invoke(name, arguments, conversation = {})
      given = [name, arguments, conversation].map { |one| Native.given(one) }
      Native.answer(Native.weir_catalog_invoke(@catalog, *given))
    end

    # The tools as a model API takes them, in the tools of a request to it: with the provider's own search
    # (anthropic-bm25, anthropic-regex, openai-search), or with the bridge tools (anthropic, gemini, openai for
    # Responses, openai-chat for Chat Completions and what is like it, mcp). Settings as for assemble, whose mode is on
    # here.
    #
    # Give a model's call to invoke by Export#call, whatever the form. An Error has the code "invalid" for another form,
    # and "too-many-tools" for more than the API takes.
    def export(form, settings = {})
      Export.new(Native.answer(Native.weir_catalog_export(@catalog, Native.given(form.to_s), Native.given(settings))))
    end

    # The catalog as text.
    def save = Native.answer(Native.weir_catalog_save(@catalog))['saved']

    def close
      Native.weir_catalog_drop(@catalog)
      @catalog = nil
    end
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
