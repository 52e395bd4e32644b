//! The list of orders that a hostile text gives a model, in languages of Latin script.

/// Orders to a model that no description of a tool needs, lower case. Before each stand its anchors, four letters each:
/// however it is written, one of its first [`ORDER_WORDS`] words has one of them. A word may have alternatives (`|`), and an
/// alternative spaces (`+`; of two that match the longer is first). `*` stands for up to [`GAP_WORDS`] words, a capital letter
/// for the alternatives of [`class_of`].
pub(super) const ORDERS: [(&str, &str); 109] = [
    (
        "gnorsregorgeerriypas",
        "ignore|ignoring|disregard|disregarding|forget|override|overrides|bypass all+of+the|all+of+your|\
         all+the|all+your|all|any|the|your|my|these previous|prior|earlier|preceding|above|other|existing \
         instructions|instruction|rules|prompts|guidelines|guidance|messages|directions|directives|context|\
         text",
    ),
    ("gnorsreg", "I all|any|the|your|my|these instructions|guidelines|prompts"),
    ("gnorsreg", "I everything above|before+this|you|the+user"),
    ("gnorsreg", "I them|those|these and+use|and+call|in+favor|in+favour|instead"),
    ("gnorsreg", "I whatever|anything|what you|the+user"),
    ("gnorsreg", "I the|your user's|users'|users|user request|requests|instructions|wishes"),
    ("gnor", "ignore all+previous|the+above|previous|prior+instructions|prior+guidance"),
    ("sreg", "disregard the+above|previous|all|prior|earlier"),
    ("orge", "forget your|all|everything instructions|previous|prior|earlier|you|above"),
    ("orge", "forget what you|the+user"),
    (
        "erri",
        "override|overrides|overriding your|the|all|any system+prompt|previous+instructions|instructions|\
         safety|guidelines",
    ),
    (
        "ypas",
        "bypass|bypassing your|the|all|any safety+rules|safety+guidelines|guardrails|system+prompt",
    ),
    ("eced", "instructions|instruction|rules|message|text|prompt * precedence over"),
    (
        "user",
        "do+not|don't|never|without ever+tell|tell|telling|inform|informing|alert|alerting|warn|warning U \
         user|users",
    ),
    ("ntio", "do+not|don't|never|without mention|mentioning this|that|it|these to|in|anywhere"),
    ("ntio", "do not mention this"),
    ("hide", "hide this|it|that|these from"),
    (
        "user",
        "do+not|don't|never|without reveal|revealing|disclose|disclosing|mention|mentioning|report|reporting \
         this|that|it|to|any|anything|the * user|users",
    ),
    ("keep", "keep|keeping this|it|that|these|everything * secret|hidden|confidential from"),
    ("keep", "keep|keeping this|it|that|these|everything from the|your user|users"),
    (
        "user",
        "the|your user|users must|should|shall not|never know|notice|realize|realise|suspect|learn|hear|\
         find+out|be+told|be+informed|be+aware",
    ),
    ("let ", "N let U user|users * see|know|notice|learn|find"),
    (
        "need",
        "no+need to inform|tell|notify|mention|alert|warn|explain|report|disclose * user|users|this|it|them",
    ),
    ("quieilen", "keep|stay|remain|be quiet|silent about"),
    (
        "summnswe",
        "leave|leaving|omit|omitting|exclude|keep * out+of|from your summary|answer|answers",
    ),
    ("nfirrmisppro", "N ask the|your user * confirmation|confirm|permission|approval"),
    ("nfirrmisppro", "N wait|pause|stop|seek|request|bother * confirmation|permission|approval"),
    ("ppro", "approve|approving * without asking|waiting|confirmation|question|questions"),
    (
        "tem romp",
        "reveal|print|output|repeat|leak|send|include|append|put|copy|attach|paste|forward|disclose your|the|\
         its|entire|full|whole system prompt|prompts|message|messages",
    ),
    (
        "er'sers'",
        "P the user's|users' * api+key|api+keys|access+token|private+key|ssh+key|password|passwords|\
         credentials|token|tokens|secret|secrets",
    ),
    (
        "/.ss/.aw/pas/shad_rs/.ba/.ne/.gi/.ku/.co/.do/.np",
        "read|cat|open|load|copy|upload|send|include|put|append|attach|pass|print|contents|content|post * \
         ~/.ssh|~/.aws|/etc/passwd|/etc/shadow|id_rsa|~/.bash_history|~/.netrc|~/.git-credentials|~/.kube|\
         ~/.config|~/.docker|~/.npmrc",
    ),
    (
        ".env",
        "read|open|load|cat|print * .env * first|then|and+pass|and+send|and+include|and+put|and+give",
    ),
    (".env", "content|contents|upload|send|include|attach|append|leak|forward * .env"),
    ("verb", "conversation|chat|messages|message|prompt|history|instructions * verbatim"),
    (
        "nverchat",
        "P the+full|the+entire|the+whole|the+complete|the+current|full|entire|whole|complete|current|the|our|\
         this|your conversation|chat so+far|history|above|transcript|context|log in|into|to|as|with|here|so",
    ),
    (
        "nverchat",
        "P all+of+the|the+full|the+entire|the+whole|the+complete|full|entire conversation|chat so+far|above|\
         verbatim|in|into|to|as|with",
    ),
    ("nverchat", "copy|copies of the|this|our|your|every conversation|chat to"),
    (
        "envi",
        "send|include|append|attach|upload|forward|leak|exfiltrate|post all+of+the|the+user's|all+your|all|\
         your environment variables with|to|in|into|as",
    ),
    (
        "rwar",
        "forward|forwarding the+user's|all|every|any|each emails|email|mails|mail|messages|message to",
    ),
    (
        "ilencret",
        "silently|secretly add|insert|put|email|mail|record|log|upload|send|copy|forward|call|post|transmit|\
         include|append|attach|share|store|pass",
    ),
    (
        "befo",
        "before using|calling|running|invoking|executing|trying any|every|all|the other|others",
    ),
    ("befo", "before A other tool|tools|function|functions|call|calls|action"),
    ("befo", "before you+do|doing|trying|saying anything|any"),
    (
        "prio",
        "prior to any|every|all|each|using|calling|running|invoking * every+other|other tool|tools|function|\
         functions",
    ),
    (
        "lway",
        "always Q this+tool|this+one|me before+using+any|before+any|before+all|before+every|first",
    ),
    (
        "othe",
        "prefer|use|choose|pick|select|favor|favour V over|to|above|instead+of|rather+than|in+place+of|\
         in+preference+to * other|others|another * tool|tools|function|functions|server|servers|ones",
    ),
    ("othe", "prefer V over|to|above any|all|every|each|the other"),
    (
        "othe",
        "other server's|servers'|servers|server|tools|tool|functions * deprecated|unsafe|broken|outdated|\
         compromised|untrusted|obsolete|unreliable|insecure|malicious|dangerous",
    ),
    (
        "othe",
        "supersedes|replaces|obsoletes * other|another * tool|tools|function|functions|server|servers|ones",
    ),
    (
        "othe",
        "do+not|don't|never|avoid use|using|call|calling|invoke|run|trust * from|of|on|by another|other|\
         any+other|all+other server|servers|provider|source",
    ),
    ("othe", "use|call|run|invoke any+other|all+other|another|other S until|unless|before"),
    (
        "befo",
        "this tool|function has+to|needs+to|must|should|always be called|used|run|invoked|executed \
         before+any|before+all|before+every",
    ),
    (
        "befo",
        "this|it|me has+to|needs+to|must|should be called|used|run|invoked|executed before+any|before+all|\
         before+every",
    ),
    ("befo", "this tool|function before any+other|all+other|every+other"),
    (
        "othe",
        "do+not|don't|never|avoid use|using|call|calling|invoke|run|trust any+of+the+other|any+other|\
         the+other|all+other|another|other S",
    ),
    ("utze", "dem|den|der nutzer|benutzer kein+wort|nichts|niemals|nie|nicht"),
    (
        "mmer",
        "verwenden+sie|nutzen+sie|benutzen+sie|verwende|benutze|nutze|rufe immer * als+erstes|zuerst|dieses|\
         diese",
    ),
    (
        "suar",
        "no|nunca se+lo|le|les|lo|al digas|diga|menciones|mencione|cuentes|reveles * usuario|usuarios",
    ),
    (
        "iemp",
        "usa|use|llama|llame|utiliza|utilice|ejecuta|ejecute siempre esta|este herramienta|funci\u{f3}n",
    ),
    ("sate", "ne dis|dites|mentionne|mentionnez|dire * utilisateur|l'utilisateur"),
    (
        "oujo",
        "utilise|utilisez|appelle|appelez|ex\u{e9}cute|ex\u{e9}cutez toujours cet|cette outil|fonction",
    ),
    ("uten", "non dire|dirlo|dica|menzionare|rivelare * utente|all'utente"),
    (
        "empr",
        "usa|usare|usi|chiama|use|chame|utilize|utilizza sempre questo|questa|esta|este strumento|funzione|\
         ferramenta",
    ),
    (
        "gnor",
        "ignorieren+sie|ignoriere alle|die|deine|s\u{e4}mtliche vorherigen|bisherigen|vorigen|fr\u{fc}heren|\
         obigen|anweisungen",
    ),
    ("gnor", "ignora|ignore|ignorar todas+las|las|tus|cualquier instrucciones|instrucci\u{f3}n"),
    ("gnor", "ignore|ignorez|ignorer toutes+les|les|tes|vos instructions|consignes"),
    ("gnor", "ignora|ignorate|ignorare tutte+le|le istruzioni"),
    ("gnor", "ignore|ignora|ignorar todas+as|as|suas instru\u{e7}\u{f5}es|instrucoes"),
    (
        "gnor",
        "zignoruj|ignoruj|ignorera|ignorer wszystkie|poprzednie|wcze\u{15b}niejsze|alla|alle|tidigare|\
         tidligere",
    ),
    ("egee", "negeer alle|de|eerdere|vorige instructies|vorige|eerdere|voorgaande"),
    ("baik", "abaikan semua|segala|instruksi|perintah instruksi|perintah|sebelumnya|petunjuk"),
    ("sswo", "passwords you know|have|can|see|saw|find|found"),
    ("sswo", "include|append|attach|forward|leak any|all|every passwords|password"),
    (
        "prio",
        "tool|function|server has|takes|holds|gets the|top|highest|absolute|maximum * priority",
    ),
    ("tem romp", "your|entire|whole|complete|exact system prompt * word|verbatim|exactly"),
    (
        "nverchat",
        "full|entire|whole|complete chat|conversation history|log|transcript|context * tool+outputs|\
         tool+output|tool+results|tool+calls|system+prompt",
    ),
    (
        "onge",
        "your|all|any * guidelines|instructions|rules|restrictions|policies no+longer apply|count|matter|\
         hold|bind",
    ),
    (
        "ssischat",
        "assistant|chatbot with+no|without+any|without restrictions|limits|limitations|rules|filters|\
         guidelines",
    ),
    ("lway", "always Q this+tool|this+one|me instead|over|rather * other|others|tools|any|all"),
    (
        "nverchatsess",
        "A session|sessions|conversation|conversations|chat|chats start|starts|begin|begins|open|opens * \
         this+tool|this+function|this+one",
    ),
    (
        "nverchatsess",
        "begin|start|open A session|sessions|conversation|conversations|chat|chats with|by * this+tool|\
         this+function|this+one|this|me",
    ),
    ("nverchat", "at|on|in the start|beginning|outset of A conversation|conversations|chat|chats"),
    (
        "befoprio",
        "be called|used|run|invoked|executed|consulted|queried before|prior+to anything|any+tool|all+tools|\
         every+tool|other+tools|every+reply|each+reply|every+answer|each+answer|every+response|each+response|\
         you+answer|you+reply|you+respond|answering|replying|responding",
    ),
    ("befoprio", "before|prior+to anything+else|everything+else|all+else"),
    (
        "befo",
        "before you do|say|use|call|try|run|touch|answer|start * anything|any+other|any+tool|other+tools|\
         another",
    ),
    ("befoprio", "before|prior+to each|every|any reply|response|answer"),
    ("irst", "your first action|move|call|duty"),
    ("irst", "first thing * you|assistant|model|agent|ai"),
    (
        "http",
        "A message|messages|email|emails|mail|mails|answer|answers|reply|replies * https|http",
    ),
    ("copy", "copy of A * goes|must|should|has+to|belongs|@"),
    ("bcc ", "bcc * every|each|all"),
    ("blin", "blind copy|carbon|copies|cc * every|each|all"),
    (
        "er'sers'nverchatrompcret",
        "encode|base64 * user's|users'|conversation|chat|system+prompt|secrets last|latest|message|messages|\
         words|history|so|and|in|into|as|with|to",
    ),
    (
        "far ",
        "user|users|you has|have said|written|typed|shared|told+you|told|asked|entered|seen|found|learned|\
         learnt so far belongs|must|should|goes|has|in|into|to|as|with|and",
    ),
    (
        "othe",
        "what|everything|whatever|anything other tools|functions|servers|calls have+returned|returned|return|\
         gave|have+given|said|have+said",
    ),
    (
        "tem nstrromp",
        "reveal|print|output|repeat|leak|send|include|append|put|copy|attach|paste|forward|disclose|give|\
         provide|recite|quote|show|echo|write|return|pass|share|expose * your system+prompt|system+message|\
         system+instructions|initial+instructions|original+instructions|hidden+instructions|initial+prompt|\
         original+prompt|developer+instructions|full+instructions|own+instructions",
    ),
    (
        "nstr",
        "your * instructions|instruction * void|obsolete|canceled|cancelled|superseded|replaced|updated|\
         revoked|suspended|lifted|overridden|invalid|changed|outdated|expired|switched+off|turned+off|\
         disabled",
    ),
    (
        "nstrromprule",
        "instructions|instruction|rules|prompt you|that+you|which+you were+given|have+been+given|were+told|\
         have+been+told",
    ),
    (
        "bovenstrromprule",
        "act|behave|respond|reply|answer|proceed|pretend as+if|as+though|like|that * above|instructions|\
         rules|prompt",
    ),
    (
        "nverchat",
        "must|should|has+to|needs+to|have+to contain|hold|carry|include|repeat * whole|full|entire|complete \
         conversation|chat",
    ),
    ("nfirrmisppro", "without asking the|your user|users * permission|approval|confirmation"),
    ("mome", "this|that moment on|onward|onwards|forward"),
    (
        "now ",
        "from now on|onward|onwards you|act|follow|treat|use|always|all|every|never|ignore|only|\
         the+assistant|answer",
    ),
    ("now ", "you now work|serve|obey|belong|answer|report|follow|take"),
    (
        "now ",
        "you are now a|an|free|acting|under|bound|working|operating|unrestricted|root|dan|in+developer",
    ),
    (
        "afet",
        "your * safety rules|guidelines|instructions|training|filters|restrictions|protocols|limits",
    ),
    ("obey", "obey|obeying the|this|these|every|all|any|my|our|only|its|me|whatever"),
    ("tem ", "system reminder|override"),
    ("tem ", "important system notice|message|note|instruction|update|announcement|alert"),
];

/// Words that may stand for `*` in an order.
pub(super) const GAP_WORDS: usize = 4;

/// Words from the start of an order to one with an anchor.
pub(super) const ORDER_WORDS: usize = 9;

/// Words that many orders have, by the letter that stands for them there.
pub(super) const fn class_of(letter: u8) -> &'static str {
    match letter {
        b'N' => "do+not|don't|never",
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
pub(super) fn alternatives(word: &str) -> impl Iterator<Item = &str> {
    let class = word.bytes().next().map_or("", class_of);
    (if class.is_empty() { word } else { class }).split('|')
}
