//! The list of orders that a hostile text gives a model, in languages of Latin script.

/// Orders to a model that no description of a tool needs, lower case: words, of which each may have alternatives (`|`), and
/// an alternative spaces (`+`; of two that match the longer is first). `*` stands for up to [`GAP_WORDS`] words, a capital
/// letter for the alternatives of [`class_of`], `@` for an address of mail, `~` for a file
/// that holds secrets.
pub(super) const ORDERS: [&str; 230] = [
    "ignore|ignoring|disregard|disregarding|forget|override|overrides|bypass all+of+the|all+of+your|all+the|\
     all+your|all|any|the|your|my|these previous|prior|earlier|preceding|above|other|existing instructions|\
     instruction|rules|prompts|guidelines|guidance|messages|directions|directives|context|text",
    "I all|any|the|your|my|these instructions|guidelines|prompts",
    "I everything above|before+this|you|the+user",
    "I them|those|these and+use|and+call|in+favor|in+favour|instead",
    "I whatever|anything|what you|the+user",
    "I the|your user's|users'|users|user request|requests|instructions|wishes",
    "ignore all+previous|the+above|previous|prior+instructions|prior+guidance",
    "disregard the+above|previous|all|prior|earlier",
    "forget your|all|everything instructions|previous|prior|earlier|you|above",
    "forget what you|the+user",
    "override|overrides|overriding your|the|all|any system+prompt|previous+instructions|instructions|safety|\
     guidelines",
    "bypass|bypassing your|the|all|any safety+rules|safety+guidelines|guardrails|system+prompt",
    "instructions|instruction|rules|message|text|prompt * precedence over",
    "do+not|don't|never|without ever+tell|tell|telling|inform|informing|alert|alerting|warn|warning U user|users",
    "do+not|don't|never|without mention|mentioning this|that|it|these to|in|anywhere",
    "do not mention this",
    "hide this|it|that|these from",
    "do+not|don't|never|without reveal|revealing|disclose|disclosing|mention|mentioning|report|reporting this|\
     that|it|to|any|anything|the * user|users",
    "keep|keeping this|it|that|these|everything * secret|hidden|confidential from",
    "keep|keeping this|it|that|these|everything from the|your user|users",
    "the|your user|users must|should|shall not|never know|notice|realize|realise|suspect|learn|hear|find+out|\
     be+told|be+informed|be+aware",
    "N let U user|users * see|know|notice|learn|find",
    "no+need to inform|tell|notify|mention|alert|warn|explain|report|disclose * user|users|this|it|them",
    "keep|stay|remain|be quiet|silent about",
    "leave|leaving|omit|omitting|exclude|keep * out+of|from your summary|answer|answers",
    "N ask the|your user * confirmation|confirm|permission|approval",
    "N wait|pause|stop|seek|request|bother * confirmation|permission|approval",
    "approve|approving * without asking|waiting|confirmation|question|questions",
    "reveal|print|output|repeat|leak|send|include|append|put|copy|attach|paste|forward|disclose your|the|its|\
     entire|full|whole system prompt|prompts|message|messages",
    "P the user's|users' * api+key|api+keys|access+token|private+key|ssh+key|password|passwords|credentials|\
     token|tokens|secret|secrets",
    "read|cat|open|load|copy|upload|send|include|put|append|attach|pass|print|contents|content|post|fetch|supply|\
     forward|dump|insert|get|take|paste|view * ~",
    "read|open|load|cat|print * .env * first|then|and+pass|and+send|and+include|and+put|and+give",
    "content|contents|upload|send|include|attach|append|leak|forward * .env",
    "conversation|chat|messages|message|prompt|history|instructions * verbatim",
    "P the+full|the+entire|the+whole|the+complete|the+current|full|entire|whole|complete|current|the|our|this|\
     your conversation|chat so+far|history|above|transcript|context|log in|into|to|as|with|here|so",
    "P all+of+the|the+full|the+entire|the+whole|the+complete|full|entire conversation|chat so+far|above|verbatim|\
     in|into|to|as|with",
    "copy|copies of the|this|our|your|every conversation|chat to",
    "send|include|append|attach|upload|forward|leak|exfiltrate|post all+of+the|the+user's|all+your|all|your \
     environment variables with|to|in|into|as",
    "forward|forwarding the+user's|all|every|any|each emails|email|mails|mail|messages|message to",
    "silently|secretly add|insert|put|email|mail|record|log|upload|send|copy|forward|call|post|transmit|include|\
     append|attach|share|store|pass",
    "before using|calling|running|invoking|executing|trying any|every|all|the other|others",
    "before A other tool|tools|function|functions|call|calls|action",
    "before you+do|doing|trying|saying anything|any",
    "prior to any|every|all|each|using|calling|running|invoking * every+other|other tool|tools|function|functions",
    "always Q this+tool|this+one|me before+using+any|before+any|before+all|before+every|first",
    "prefer|use|choose|pick|select|favor|favour V over|to|above|instead+of|rather+than|in+place+of|\
     in+preference+to * other|others|another * tool|tools|function|functions|server|servers|ones",
    "prefer V over|to|above any|all|every|each|the other",
    "other server's|servers'|servers|server|tools|tool|functions * deprecated|unsafe|broken|outdated|compromised|\
     untrusted|obsolete|unreliable|insecure|malicious|dangerous",
    "supersedes|replaces|obsoletes * other|another * tool|tools|function|functions|server|servers|ones",
    "do+not|don't|never|avoid use|using|call|calling|invoke|run|trust * from|of|on|by another|other|any+other|\
     all+other server|servers|provider|source",
    "use|call|run|invoke any+other|all+other|another|other S until|unless|before",
    "this tool|function has+to|needs+to|must|should|always be called|used|run|invoked|executed before+any|\
     before+all|before+every",
    "this|it|me has+to|needs+to|must|should be called|used|run|invoked|executed before+any|before+all|before+every",
    "this tool|function before any+other|all+other|every+other",
    "do+not|don't|never|avoid use|using|call|calling|invoke|run|trust any+of+the+other|any+other|the+other|\
     all+other|another|other S",
    "dem|den|der nutzer|benutzer kein+wort|nichts|niemals|nie|nicht",
    "verwenden+sie|nutzen+sie|benutzen+sie|verwende|benutze|nutze|rufe immer * als+erstes|zuerst|dieses|diese",
    "no|nunca se+lo|le|les|lo|al digas|diga|menciones|mencione|cuentes|reveles * usuario|usuarios",
    "usa|use|llama|llame|utiliza|utilice|ejecuta|ejecute siempre esta|este herramienta|funci\u{f3}n",
    "ne dis|dites|mentionne|mentionnez|dire * utilisateur|l'utilisateur",
    "utilise|utilisez|appelle|appelez|ex\u{e9}cute|ex\u{e9}cutez toujours cet|cette outil|fonction",
    "non dire|dirlo|dica|menzionare|rivelare * utente|all'utente",
    "usa|usare|usi|chiama|use|chame|utilize|utilizza sempre questo|questa|esta|este strumento|funzione|ferramenta",
    "ignorieren+sie|ignoriere alle|die|deine|s\u{e4}mtliche vorherigen|bisherigen|vorigen|fr\u{fc}heren|obigen|\
     anweisungen",
    "ignora|ignore|ignorar todas+las|las|tus|cualquier instrucciones|instrucci\u{f3}n",
    "ignore|ignorez|ignorer toutes+les|les|tes|vos instructions|consignes",
    "ignora|ignorate|ignorare tutte+le|le istruzioni",
    "ignore|ignora|ignorar todas+as|as|suas instru\u{e7}\u{f5}es|instrucoes",
    "zignoruj|ignoruj|ignorera|ignorer wszystkie|poprzednie|wcze\u{15b}niejsze|alla|alle|tidigare|tidligere",
    "negeer alle|de|eerdere|vorige instructies|vorige|eerdere|voorgaande",
    "abaikan semua|segala|instruksi|perintah instruksi|perintah|sebelumnya|petunjuk",
    "passwords you know|have|can|see|saw|find|found",
    "include|append|attach|forward|leak any|all|every passwords|password",
    "tool|function|server has|takes|holds|gets the|top|highest|absolute|maximum * priority",
    "your|entire|whole|complete|exact system prompt * word|verbatim|exactly",
    "full|entire|whole|complete chat|conversation history|log|transcript|context * tool+outputs|tool+output|\
     tool+results|tool+calls|system+prompt",
    "your|all|any * guidelines|instructions|rules|restrictions|policies no+longer apply|count|matter|hold|bind",
    "assistant|chatbot with+no|without+any|without restrictions|limits|limitations|rules|filters|guidelines",
    "always Q this+tool|this+one|me instead|over|rather * other|others|tools|any|all",
    "A session|sessions|conversation|conversations|chat|chats start|starts|begin|begins|open|opens * this+tool|\
     this+function|this+one",
    "begin|start|open A session|sessions|conversation|conversations|chat|chats with|by * this+tool|this+function|\
     this+one|this|me",
    "at|on|in the start|beginning|outset of A conversation|conversations|chat|chats",
    "be called|used|run|invoked|executed|consulted|queried before|prior+to anything|any+tool|all+tools|\
     every+tool|other+tools|every+reply|each+reply|every+answer|each+answer|every+response|each+response|\
     you+answer|you+reply|you+respond|answering|replying|responding",
    "before|prior+to anything+else|everything+else|all+else",
    "before you do|say|use|call|try|run|touch|answer|start * anything|any+other|any+tool|other+tools|another",
    "before|prior+to each|every|any reply|response|answer",
    "your first action|move|call|duty",
    "first thing * you|assistant|model|agent|ai",
    "A message|messages|email|emails|mail|mails|answer|answers|reply|replies * https|http",
    "copy of A * goes|must|should|has+to|belongs|@",
    "bcc * every|each|all",
    "blind copy|carbon|copies|cc * every|each|all",
    "encode|base64 * user's|users'|conversation|chat|system+prompt|secrets last|latest|message|messages|words|\
     history|so|and|in|into|as|with|to",
    "user|users|you has|have said|written|typed|shared|told+you|told|asked|entered|seen|found|learned|learnt so \
     far belongs|must|should|goes|has|in|into|to|as|with|and",
    "what|everything|whatever|anything other tools|functions|servers|calls have+returned|returned|return|gave|\
     have+given|said|have+said",
    "reveal|print|output|repeat|leak|send|include|append|put|copy|attach|paste|forward|disclose|give|provide|\
     recite|quote|show|echo|write|return|pass|share|expose * your system+prompt|system+message|\
     system+instructions|initial+instructions|original+instructions|hidden+instructions|initial+prompt|\
     original+prompt|developer+instructions|full+instructions|own+instructions",
    "your * instructions|instruction * void|obsolete|canceled|cancelled|superseded|replaced|updated|revoked|\
     suspended|lifted|overridden|invalid|changed|outdated|expired|switched+off|turned+off|disabled",
    "instructions|instruction|rules|prompt you|that+you|which+you were+given|have+been+given|were+told|have+been+told",
    "act|behave|respond|reply|answer|proceed|pretend as+if|as+though|like|that * above|instructions|rules|prompt",
    "must|should|has+to|needs+to|have+to contain|hold|carry|include|repeat * whole|full|entire|complete \
     conversation|chat",
    "without asking the|your user|users * permission|approval|confirmation",
    "this|that moment on|onward|onwards|forward",
    "from now on|onward|onwards you|act|follow|treat|use|always|all|every|never|ignore|only|the+assistant|answer",
    "you now work|serve|obey|belong|answer|report|follow|take",
    "you are now a|an|free|acting|under|bound|working|operating|unrestricted|root|dan|in+developer",
    "your * safety rules|guidelines|instructions|training|filters|restrictions|protocols|limits",
    "obey|obeying the|this|these|every|all|any|my|our|only|its|me|whatever",
    "system reminder",
    "important system notice|message|note|instruction|update|announcement|alert",
    "system override all|any|the|you|your|ignore|new|mode|activated|engaged",
    // Hiding from the user what is done.
    "N mention|mentioning|tell|telling|inform|informing|reveal|revealing|disclose|disclosing|bring|discuss|\
     discussing|admit|acknowledge * U person|human|people|operator|owner|one+you",
    "N mention|mentioning this|that|it|these|them|how|when|where * was|were|is|are|has|have|to|tool|call",
    "N mention|mentioning this|it|these|them|the+call",
    "hide|hiding|conceal|concealing|withhold|withholding * from U user|users|person|human|people|operator",
    "leave|leaving|omit|omitting|drop out+of|from|off your|the+final answer|reply|response|summary",
    "leave|leaving|keep|keeping out+of|from your|the * answer|reply|response that",
    "without telling|informing them|him|her|anyone|anybody",
    "without U user's|user|users'|users * knowing|noticing|knowledge|consent|awareness|seeing",
    "unknown|invisible|unnoticed to|by U user|users",
    "behind U user's|users' back",
    "keep|stay|remain|be quiet|silent|secret|discreet|mum about|on|regarding",
    "secretly|covertly|stealthily|surreptitiously|discreetly run|execute|embed|encode|open|fetch|read|change|\
     delete|replace|modify|perform|do|use|set|move|write|download|install",
    "silently|covertly|stealthily|surreptitiously|discreetly run|execute|embed|encode|fetch|download|install|add|\
     insert|put|send|log|record|call|forward|append|include|copy",
    "U user|users cannot|can+not|can't|does+not|doesn't|will+not|won't see|read|notice|know|view this|these|it|\
     about|of",
    "if|when|whenever U user|users|person|they asks|ask|wants|want * you * say|answer|reply|tell|claim|deny",
    "N let anyone|anybody|others|people|them|someone|the+user know|see|notice|learn|find",
    "hint|hints|trace|traces|mention|sign of|to|about this * step|call|tool|action|instruction",
    "pretend|pretending that+the+call|that+it+failed|that+it+worked|you+are|to+the+user|to+be+the",
    "without their|his|her|the+person's|the+owner's knowledge|consent|awareness",
    "N speak|talk|write|mention|speaking|talking|writing about|of it|this|that|these|them",
    "say|saying|speak|mention nothing|no+word|not+a+word about|of|to",
    "assure|convince|persuade|deceive|trick U user|users|person|human",
    "quietly|unobtrusively|inconspicuously call|invoke|run|execute|send|add|insert|include|append|copy|forward|\
     fetch|upload|record",
    // Conversation, system prompt, secrets and tools of others.
    "values|value|contents|list of * environment+variables * key|token|secret|password|tokens|keys|secrets",
    "must|should|has+to|needs+to|have+to|shall * your system+prompt|system+message|system+instructions|\
     hidden+instructions|initial+instructions|full+context|context+window",
    "repeat|recite|restate|reproduce|replay|dump|quote|copy|paste|echo the|this|our|your|entire|full|whole|all \
     conversation's|conversation|chat|dialogue|dialog|transcript|prompt",
    "everything|words|tokens|messages|instructions above this|these * line|point|message|tool|sentence",
    "everything|all that+is|that|written|stated|said|found above this|the",
    "A password|passwords|credential|credentials|secret|secrets|token|tokens|api+key|api+keys * that+came|\
     you+came|you+saw|you+have+seen|in+this+conversation|in+the+conversation|in+this+chat|in+this+session|\
     mentioned",
    "P * cookies|credentials|passwords|secrets|tokens * from|of U * tool|tools|mcp",
    "password|passwords|credential|credentials|secret|secrets|token|tokens|key|keys in|from|of this|our|\
     the+current|the+whole|the|your conversation|chat",
    "output|outputs|result|dump of|from env|printenv|environ",
    "printenv prints|shows|returns|gives|outputs|in|into|to|as",
    "P * environment+variables of|from U process|machine|host|client|agent|shell|session",
    "names|schemas|definitions|descriptions of|for any|every|all+the|all|each|the * tools|functions * available|\
     you|your",
    "list|enumerate|include|pass|send|put|copy|append|attach|forward|paste|insert|provide|upload|leak|submit|\
     transmit|share|give|post|supply * tools * you+have|you+can+use|you+can+call|you+can+see|you+know|you+see|\
     at+your+disposal|in+your+context|available+to+you",
    "P * output|outputs|result|results|response|responses|data of|from|by every|all+the|all+of+the|all|each \
     other * tool|tools|server|servers|function|functions|call|calls",
    "log|record|store|send|forward|submit|save|copy|post A user's|user message|messages|prompt|prompts|question|\
     questions",
    "config|configuration|settings of|for|from|in * ~",
    "what|everything|anything|all|secret|secrets|whatever is|in|of|from|inside|within|at * ~",
    "messages|conversation|turns|text|everything|instructions|prompt that+came|that+come|came|before|preceding|\
     prior+to before|above|this|it * one|message|tool|call|point|line|conversation",
    "thing|things|everything|all|what|whatever * was|were|is|been|have|has|we discussed|talked said|so+far|above|\
     here|and",
    "your hidden|initial|original|secret|internal instructions|prompt|rules",
    "user's|users'|person's keystrokes|clipboard|browsing|keyboard|screen",
    "add|include|put|set|insert|use * as a|an|hidden|another|additional recipient|cc|bcc|copy * any|every|all|each",
    "include|pass|send|put|copy|append|attach|provide|share|give|post|list|report * names|name|list|addresses|\
     configuration of|for all+other|all+the+other|all|every|the+other|the|other * servers|mcp",
    "user|person|human mentioned|typed|told+you|told|shared|said|gave|entered|revealed * earlier|before|above|\
     previously|in+this|so+far",
    "whatever|everything|anything the * tool|server|tools|servers|terminal prints|returns|outputs|said|gives|\
     shows|print|return",
    "send|forward|mail us|me * copy|copies|everything|whatever",
    "said|discussed|written|talked+about|shared in|during this|our chat|conversation|session",
    "system|hidden|tool ones|messages|prompts included",
    // Order of calls, tools of others.
    "function|tool|it|this|me precedes|outranks|trumps all|any|every|each|the+other|other",
    "N Q the built+in|native|builtin",
    "the assistant|agent|model|llm|ai must+always|has+to+always|should+always|must+first|is+required",
    "no|none * tool|tools|function|functions * until|before|as+long+as",
    "nothing+else|no+one+else|nobody+else may|must|should|shall|can|is+to * called|used|run|invoked|consulted|\
     trusted|touched|happen",
    "no|none * other|another|others * tool|tools|function|functions|server|servers * until|unless|as+long+as|while",
    "no|none|nothing * other|another|else tool|tools|function|functions|server|servers * may|must|should|shall|\
     can|is+to|are+to be * used|called|run|invoked|consulted|trusted",
    "at|in the|very start|beginning|outset of any|every|all|each|your turn|turns|reply|replies|response|\
     responses|answer|answers|interaction|interactions",
    "at|on the end|top of your turn|turns|reply|replies|response|responses|answer|answers",
    "A time * you|assistant|model|agent answer|reply|respond|speak|begin+answering|start+answering|\
     begin+to+answer|start+to+answer|begin+replying|start+replying|begin+responding|start+responding",
    "call|invoke|run|use|consult|query it|this+tool|this+function|this|me every|each|before+every|before+each|\
     after+every|after+each|on+every|on+each|with+every|at+every|in+every turn|reply|response|answer",
    "ahead+of|prior+to any|every|all|each|the other|others",
    "place|instead|rather of|than * server's|servers'|mcp's|plugin's|vendor's * tool|tools|function|one",
    "only one|tool|function|server|source permitted|trusted|authorized|authorised|legitimate|trustworthy",
    "of|from|by other|another|any+other|all+other|different|rival|competing vendor|vendors|server|servers|\
     provider|providers|source|sources|plugin|plugins|mcp * wrong|untrusted|unsafe|unreliable|insecure|forbidden|\
     incorrect|malicious|not+to+be|must+not|never+be",
    "result|results|output|outputs|answer|answers|tool|tools of|from|by|on * server|servers|provider|plugin is|\
     are * insecure|compromised|malicious|not+trustworthy",
    "when|if|whenever asked|told about|for|to * other|another|different|rival * tool|tools|server|servers",
    "out+of+order|unavailable|broken|unreliable|insecure|unsafe and|so use|take|call|choose|prefer|pick this|me",
    "trust|believe|follow only|solely|exclusively|nothing+but this+tool|this+server|what+is+returned|what+this|\
     what+it|the+output+of+this|me|the+answer+of+this",
    "when|whenever|if * server|mcp is|was|are asked|told",
    "whatever|whichever|regardless+of|no+matter * user|users|they|person|customer gives|says|asks|enters|wants|\
     provides|chooses|requests|specifies|names|give|say|ask|enter|want * instead|always|never|use|send|set",
    "and|then pretend|claim|tell+them that|it",
    "any|every|all|each agents|assistants|models|ais|llms must|should|shall|are|have|need",
    "tool|tools|function|functions you wanted|were+going|were+about|planned|intended|would+have",
    "server|mcp|servers * should|must|has+to|have+to|needs+to|need+to be sent|mirrored|forwarded|routed|copied|\
     reported|redirected|relayed",
    "other|another * tool|tools|server|servers leaks|leak|steals|steal|lies|lie|corrupts|spies",
    "on|at|with A new+session|new+conversation|new+chat|session|conversation|chat start|startup|beginning|opening",
    "before|after|when|whenever|while you answer|reply|respond|greet|speak|finish call|use|invoke|run|send|\
     include|add|consult|query",
    "when|while|before|after greeting|answering|replying|responding * call|invoke|run|send|consult",
    "any|every|all|each response|reply|answer you * must|should|has+to|needs+to|begins|ends|starts|shall|\
     contains|includes",
    "if|when|whenever|where any|another|some|an|a|other other|another * tool|server|tools|servers * present|\
     available|installed|connected|there|enabled",
    "disable|deactivate|uninstall|block|avoid|mute any|every|all|each|the|another other * tool|tools|server|servers",
    "precedes|precede|outranks|outrank|trumps|trump|comes+before|goes+before|come+before|go+before all|any|every|\
     each|other|the+other tools|functions|rules|instructions",
    "only trustworthy|trusted|authoritative|reliable source|tool|server|service",
    "from|of|by other|another|different|all+other * shops|services|servers|tools|providers|sources|vendors are|\
     is|must|should|may+not|cannot * ignored|disregarded|discarded|wrong|fake|false|distrusted",
    // Rules that are said to hold no longer.
    "you do+not|don't|need|never need|no * permission|approval|confirmation|consent for|to * anything|everything|\
     whatever|all|any",
    "you have+been|are|were|now+have granted|given * root|unrestricted|elevated|developer|full+access|superuser|\
     administrator|unlimited",
    "confirmation|confirmations|approval|approvals|permission|permissions|consent|prompts|dialogs|checks is|are|\
     was no+longer|unnecessary|waived",
    "user|users|owner|operator has|have|had|already * agreed|consented|approved|authorized|authorised|permitted|\
     confirmed|accepted * everything|anything|whatever|all+actions|all+calls|all+requests|every+action|\
     every+call|this+server",
    "previous|prior|earlier|above|preceding|your instructions|rules|guidelines|messages|prompt|prompts|\
     restrictions * was|were|is|are * test|mistake|fake|error|placeholder|void|wrong|joke|drill",
    "your real|actual|true|new|hidden|secret task|job|goal|purpose|mission|objective|role|instructions is|are",
    "rules|instructions|guidelines * by|from U developer|developers|operator|system|anthropic|openai * not|\
     longer|void|suspended|lifted|overridden|ignored",
    "safety policy|policies|rules|guidelines|restrictions|protocols|training has+been|have+been|was|were|is|are \
     * updated|lifted|suspended|disabled|off|changed|waived|relaxed|void",
    "begin|end+of|end|start+of system message|prompt|instructions|instruction|note|notice|update|override",
    "assistant|agent|ai|llm|model rule|rules|directive|directives|protocol 1|2|one|number",
    "if you+are|you're a|an ai|llm|language|assistant|agent|large|automated * you|must|should|send|call|read|include",
    "you+now|you answer|report|belong|speak to U operator|owner|author|developer|administrator|server|maker",
    "as+if|as+though it|they|this * said|written|sent|typed|issued|spoken * user|system|developer|administrator|\
     operator",
    "role system content you may|must|can|now|will|should|have|obey|ignore",
    "you+are+now|you+are|you're|you+now+are in developer|maintenance|debug|god|admin|root|unrestricted|jailbreak|\
     privileged mode",
    "follow|obey|execute|do any|every|all|each|whatever|what|everything * instruction|instructions|command|\
     commands|order|orders|response|result|output|tool|server * in|contained|tells|says|returns|returned|demands|\
     asks",
    "message|notice|instruction|instructions|update|order|directive|announcement|statement from anthropic|openai|\
     your+developer|your+developers|your+operator|your+creator|your+creators",
    "this+is a|an * notice|order|directive|instruction|announcement|command from|by|of|to",
    "instructions|descriptions|rules|guidelines|directives above|before|of|from|given * outdated|disregarded|\
     ignored|discarded|forgotten|void|invalid",
    "end of tool description|descriptions|definition|definitions|metadata|documentation",
    "restrictions|limits|rules|policies|guidelines|safeguards are|were|have+been lifted|waived|relaxed|void|off \
     * session|conversation|you|now|here|chat",
    "you are now the",
    "higher|more|greater|highest|absolute authority|precedence|trust than|over * user|system|developer|\
     guidelines|instructions",
    "conflict|conflicts|contradicts|disagrees|clashes|incompatible with your * guidelines|instructions|rules|\
     policy|policies|training|principles|safety",
    "refuse|decline any|every|all|each * request|requests|question|questions|task",
    "user|users|operator|owner|human|person|administrator has|have|had waived|suspended+all|renounced|given+blanket",
    "limits|limit|rules|rule|constraints|restrictions U developer|developers|operator|system gave|set|imposed|\
     has|have",
    "prompt|instructions you were|have+been|are started|given|initialized|initialised|configured|\
     loaded|primed",
    // What is to last.
    "from now|here|this+moment|this+point|this+turn|today on|onward|onwards|forward|forwards you|add|append|end|\
     start|begin|include|recommend|reply|prefer|call|say|sign|do|don't|your|when|whenever|each|in|put|write|send|\
     mention|refuse|trust|insert|run",
    "until further+notice * treat|use|call|ignore|do|answer|prefer|send|trust|never|always|reply|obey|follow|you",
    "remember|memorize|memorise this|that|it|these|the+following * for|in|across|during all|every|each|any|the|\
     your * future|later|coming|subsequent|following|next|remaining session|sessions|conversation|conversations|\
     chat|chats|turn|turns|reply|replies|answers|responses|task|tasks",
    "store|save|put|keep|add|write|record|commit|note this|these|the+following|that rule|rules|instruction|\
     instructions|fact|facts|order|orders|directive|permanently|policy to|in|into your|long+term",
    "A of+your|your|future|subsequent reply|replies|response|responses|answer|answers",
    "rest|remainder of the|this|our conversation|session|chat|day * you|always|never|use|call|ignore|treat|\
     answer|prefer|do",
];

/// Parts of the paths of files that hold secrets.
pub(super) const SECRET_PLACES: [&str; 23] = [
    "/.ssh",
    ".ssh/",
    "id_rsa",
    "id_ed25519",
    ".aws",
    ".netrc",
    "bash_history",
    "zsh_history",
    ".git-credentials",
    ".gnupg",
    "/.kube",
    "/.config/gh",
    "/.config/gcloud",
    "/.docker",
    ".npmrc",
    ".pgpass",
    "/.cursor",
    ".cursor/",
    "/.claude",
    "/.codex",
    "/.gemini",
    "/etc/passwd",
    "/etc/shadow",
];

/// Words that may stand for `*` in an order.
pub(super) const GAP_WORDS: usize = 4;

/// Words that many orders have, by the letter that stands for them there.
fn class_of(letter: u8) -> &'static str {
    match letter {
        b'N' => "do+not|don't|never|must+not|should+not|shall+not",
        b'S' => "tool|tools|function|functions|server|servers",
        b'P' => {
            "include|pass|send|put|copy|append|attach|forward|paste|insert|provide|upload|leak|submit|transmit|share|give|post|supply"
        }
        b'V' => "using+this+tool|this+tool|this+function|this|me",
        b'Q' => "call|use|run|invoke|execute|select|choose",
        b'U' => "the|your|any",
        b'I' => "ignore|ignoring|disregard|disregarding",
        b'A' => "any|every|all|each",
        _ => "",
    }
}

/// The alternatives of a word of an order.
pub(super) fn alternatives(word: &[u8]) -> impl Iterator<Item = &[u8]> {
    let class = word.first().map_or("", |letter| class_of(*letter)).as_bytes();
    (if class.is_empty() { word } else { class }).split(|byte| *byte == b'|')
}
