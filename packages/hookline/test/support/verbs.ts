/** Verbs that functions of the source begin with. A new one is a word here, if it is a verb that the reader of other projects knows. */
export const VERBS: ReadonlySet<string> = new Set(
  `
    abandon become checkpoint learn pack roll transact unseal abort differ excerpt accept accumulate acquire act activate adapt add adjust admit adopt advance advise agree
    align allocate allow announce answer append apply archive arm arrange ask assert assign attach await
    balance batch begin bind block break bring build bundle cache calculate call cancel capitalise capture
    carry cast catch chain change check choose chunk claim clamp classify clean clear clip clone close
    collapse collect combine comment commit compact compare compile complete compose compress compute concat
    configure confirm connect consume contain continue convert copy correct count create crop cut deactivate
    debounce decide decode deduplicate defer define delete deliver demand derive describe destroy detach
    detect determine diagnose diff digest disallow discard discover dismiss dispatch download drain draw
    drive drop dump echo edit eliminate embed emit emulate enable enclose encode end enforce enqueue enrol ensure
    enter enumerate erase escape estimate evaluate examine exchange exclude execute exit expand expect
    expire explain export expose extend extract fail feed fetch fill filter finalise find finish fire fit
    fix flatten flush focus fold follow forbid foresee forget format forward frame free freeze furnish
    gather generate get give go grade group grow guard guess halt hand handshake hang hash hear heed hide
    highlight hint hold hydrate identify ignore import include increment indent index infer inherit
    initialise inject inline insert inspect install interpolate interrupt intersect introduce invalidate
    invoke isolate iterate join judge jump keep kill label launch lay lead leave let lift limit link list
    listen load locate lock log look lose lower make map mark mask match measure meet mend merge migrate
    mirror mount move multiply name narrow negate negotiate normalise note notify obey observe obtain offer
    omit open order outlive overlay override overwrite pad paint pair parse pass patch pause peek permit
    persist persuade pick ping pipe place plan poll pool populate position post prefer prefix prepare
    prepend preserve press preview print probe promise promote propose prove provide prune publish pull
    purge push put quarantine query queue quit quote raise rank rate reach read rebase rebuild recall
    receive recheck recognise reconcile reconnect record redact redirect redraw reduce refill refresh refuse
    register reindex reject relay release reload remap remark remember remind remove rename render renew
    reopen reorder repair repeat rephrase replace replay reply report represent request require reserve
    reset reshape resolve respell respond restart restore restrict resume retain rethrow retire retrieve
    retry return reuse reverse revert review revoke rewind rewrite rollback rotate round route run sample
    save say scan schedule score scroll seal search see seed seek select send separate serialise serve set
    settle share shift ship shorten show shrink shuffle shut sign signal simulate skip slice snapshot sort
    spawn spell spend spill split spread stage stamp start stat step stop store stream stringify strip
    submit subscribe subtract suggest sum summarise supply support surround survive suspend swap sweep
    switch sync synchronise tag take tap tell test throttle throw tick tidy toggle tokenize track train transfer
    transform translate traverse trim truncate trust try tunnel turn type understand undo unescape unfold
    uninstall union unlink unlock unpack unquote unregister unset unwrap update upload use validate vary
    verify visit wait wake walk want warm warn watch wipe work wrap write yield
  `
    .trim()
    .split(/\s+/),
)

/** Beginnings that are no verbs of doing: of predicates, of conversions, and of functions that are called when something happens. */
export const OTHER_BEGINNINGS: ReadonlySet<string> = new Set([
  ...['is', 'has', 'can', 'should', 'may', 'must', 'was', 'matches'],
  ...['to', 'from', 'with', 'on'],
])
