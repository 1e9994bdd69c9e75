------------------------------- MODULE Oncegate ------------------------------
(* One key of Oncegate.  Keys do not interact, so one key suffices, with       *)
(* several nodes that stall or are killed at any step, one record in Postgres, *)
(* commits whose acknowledgement is lost, a network that delays or drops what  *)
(* is forwarded, an upstream with a ledger, sweepers, a person and a cache.    *)
(* Off names rules that are switched off; TLC must then find a trace that      *)
(* breaks a property.  S.. and V.. are the invariants of README.md.            *)
(*                                                                             *)
(* Time is what is left of a lease or a deadline, not an hour: no horizon cuts *)
(* a behaviour short, and equal futures are one state.                         *)
EXTENDS Integers, FiniteSets, TLC

CONSTANTS Nodes,     \* each runs one exchange at a time
          MaxTok,    \* claims, over all epochs
          MaxEpoch,  \* lives of the key
          Lease, TTL, \* in ticks of the database's clock
          Skew,      \* how far a node's clock may be off, anew at each reading
          Upstream,  \* what the tenant's side promises, see below
          Off        \* rules that are switched off

\* "bounded":   nothing of a token arrives after the quarantine (A2): the contract's rule
\* "refuses":   a token is refused from the moment its probe said "not applied"
\* "honoursKey": executes once per upstream key; what is unknown is released at once
ASSUME Upstream \in {"bounded", "refuses", "honoursKey"}

Rules == {
  "sendDurable",   \* S8: nothing is forwarded while the claim's commit is in doubt
  "sendLimit",     \* S8: nothing is forwarded once the owner's own clock says that the lease has lapsed
  "sendOnce",      \* S9: no layer repeats a forwarded request
  "noTakeOver",    \* a lapsed claim is not claimed by the next client
  "resetUnknown",  \* a reset after bytes were sent is unknown, not released
  "completeToken", \* S7: completion compares state and token
  "releaseToken",  \* S7: the owner's release compares state and token
  "renewClaimed",  \* S7: renewal leaves nothing but a claim that has not lapsed
  "storeFirst",    \* S5: no byte for the client before the completing commit
  "answerRecord",  \* S5: a fenced owner answers what the record holds
  "askFirst",      \* S12: a lapsed claim is not released without asking
  "askSettled",    \* S12: "not applied" releases only where nothing can still arrive ...
  "askAfter",      \*      ... and the question was sent after that moment
  "settleToken",   \* S7: a verdict settles only the token it was asked for
  "personWaits",   \* a person's "not applied" obeys the quarantine
  "purgeSettled",  \* S14: no purge of claimed and unknown records
  "cacheMargin",   \* S15: a cached answer dies Skew before its deadline
  "syncStandby",   \* A4: a failover loses nothing that was acknowledged
  "sweep",         \* V1: lapsed claims are looked for
  "abandon",       \* V1: an exchange without an answer is given up
  "giveUp",        \* V2: what probing does not settle is brought before a person
  "askAgain" }     \* V2: a question without a usable verdict is asked again
ASSUME Off \subseteq Rules

SendDurable == "sendDurable" \notin Off
SendLimit == "sendLimit" \notin Off
SendOnce == "sendOnce" \notin Off
NoTakeOver == "noTakeOver" \notin Off
ResetUnknown == "resetUnknown" \notin Off
CompleteToken == "completeToken" \notin Off
ReleaseToken == "releaseToken" \notin Off
RenewClaimed == "renewClaimed" \notin Off
StoreFirst == "storeFirst" \notin Off
AnswerRecord == "answerRecord" \notin Off
AskFirst == "askFirst" \notin Off
AskSettled == "askSettled" \notin Off
AskAfter == "askAfter" \notin Off
SettleToken == "settleToken" \notin Off
PersonWaits == "personWaits" \notin Off
PurgeSettled == "purgeSettled" \notin Off
CacheMargin == "cacheMargin" \notin Off
SyncStandby == "syncStandby" \notin Off
DoesSweep == "sweep" \notin Off
DoesAbandon == "abandon" \notin Off
DoesGiveUp == "giveUp" \notin Off
AskAgain == "askAgain" \notin Off

VARIABLES row, prevRow, seq, \* the database: the record, its last version but one, the token sequence
          node,              \* per node, its exchange
          net,               \* forwarded and not yet arrived
          ledger, answers,   \* the upstream: effects, and what it answered to whom
          fenced,            \* tokens that it refuses
          asked,             \* verdicts that sweepers hold and have not used
          cache, replies     \* an entry; every final answer that a client was given

db == <<row, prevRow, seq>>
far == <<net, ledger, answers, fenced>>
out == <<cache, replies>>
vars == <<db, node, far, asked, out>>

NoTok == 0
\* left: what is left of the lease (claimed) or of the deadline (completed); -1 is past it.
Absent(e) == [st |-> "absent", tok |-> NoTok, epoch |-> e, left |-> 0, resp |-> NoTok, rebuilt |-> FALSE, alarm |-> FALSE]
Idle == [pc |-> "idle", tok |-> NoTok, epoch |-> 0, left |-> 0]
NoEntry == [epoch |-> 0, resp |-> NoTok, rebuilt |-> FALSE, left |-> 0]

Init == /\ row = Absent(1) /\ prevRow = Absent(1) /\ seq = 0
        /\ node = [n \in Nodes |-> Idle]
        /\ net = {} /\ ledger = {} /\ answers = {} /\ fenced = {} /\ asked = {}
        /\ cache = NoEntry /\ replies = {}

SetRow(r) == row' = r /\ prevRow' = (IF SyncStandby THEN prevRow ELSE row) /\ UNCHANGED seq
Lapsed == row.st = "claimed" /\ row.left < 0
Mine(n, states) == row.st \in states /\ row.tok = node[n].tok
Holds(n, states) == node[n].pc \in states
EndsAt(n) == node' = [node EXCEPT ![n] = Idle]

Settled(st, resp, rebuilt) ==
  [row EXCEPT !.st = st, !.left = IF st = "completed" THEN TTL ELSE 0,
              !.resp = resp, !.rebuilt = rebuilt, !.alarm = FALSE]
Released == Settled("released", NoTok, FALSE)
Unknown == Settled("unknown", NoTok, FALSE)

Effect(tok) == \E x \in ledger : x.tok = tok
\* The quarantine is over: nothing of the token is under way. That no owner sends any more is the
\* doing of its local limit; what stalls between that check and the wire is under way.
Quiet(tok) == ~\E m \in net : m.tok = tok

----------------------------------------------------------------------------
(* The owner *)

Claimable == \/ row.st \in {"absent", "released"}
             \/ ~NoTakeOver /\ Lapsed
Started(pc) == [pc |-> pc, tok |-> seq + 1, epoch |-> row.epoch, left |-> Lease]

\* The insert wins and its commit is acknowledged (pc = "claimed"), or applied and the acknowledgement lost ("maybe").
Claim(n, pc) ==
  /\ Holds(n, {"idle"}) /\ Claimable /\ seq < MaxTok
  /\ seq' = seq + 1
  /\ row' = [Absent(row.epoch) EXCEPT !.st = "claimed", !.tok = seq + 1, !.left = Lease]
  /\ prevRow' = IF SyncStandby THEN prevRow ELSE row
  /\ node' = [node EXCEPT ![n] = Started(pc)]
  /\ UNCHANGED <<far, asked, out>>

\* Never applied; the node cannot tell this from "maybe" above.
ClaimLost(n) ==
  /\ Holds(n, {"idle"}) /\ Claimable /\ seq < MaxTok
  /\ seq' = seq + 1
  /\ node' = [node EXCEPT ![n] = Started("maybe")]
  /\ UNCHANGED <<row, prevRow, far, asked, out>>

\* A claim in doubt is repeated with its claim id, which tells whose the record is.
ReadBack(n) ==
  /\ Holds(n, {"maybe"})
  /\ node' = [node EXCEPT ![n] = IF Mine(n, {"claimed"}) THEN [node[n] EXCEPT !.pc = "claimed"] ELSE Idle]
  /\ UNCHANGED <<db, far, asked, out>>

\* The local limit is read from a clock that may be off. The node may stall right after the check:
\* the message then arrives as late as it likes.
Forward(n) ==
  /\ Holds(n, IF SendDurable THEN {"claimed"} ELSE {"claimed", "maybe"}) /\ (SendLimit => node[n].left > -Skew)
  /\ net' = net \cup {[tok |-> node[n].tok, epoch |-> node[n].epoch, try |-> 1]}
  /\ node' = [node EXCEPT ![n].pc = "sent", ![n].left = 0]
  /\ UNCHANGED <<db, ledger, answers, fenced, asked, out>>

PoolRetry(n) ==
  /\ ~SendOnce /\ Holds(n, {"sent"})
  /\ net' = net \cup {[tok |-> node[n].tok, epoch |-> node[n].epoch, try |-> 2]}
  /\ UNCHANGED <<db, node, ledger, answers, fenced, asked, out>>

\* One statement judges the lapse and renews; a lapsed lease is not revived.
Renew(n) ==
  /\ Holds(n, {"claimed", "sent"})
  /\ IF RenewClaimed THEN Mine(n, {"claimed"}) /\ ~Lapsed ELSE Mine(n, {"claimed", "unknown"})
  /\ SetRow([row EXCEPT !.st = "claimed", !.left = Lease])
  /\ node' = IF Holds(n, {"claimed"}) THEN [node EXCEPT ![n].left = Lease] ELSE node
  /\ UNCHANGED <<far, asked, out>>

\* An answer that was truly received settles what is claimed or unknown while the token is the record's.
\* acked = FALSE: committed, and the acknowledgement lost; the owner repeats the statement.
Complete(n, acked) ==
  /\ Holds(n, {"sent"})
  /\ \E a \in answers :
       /\ a.tok = node[n].tok /\ a.effect # NoTok
       /\ IF (IF CompleteToken THEN Mine(n, {"claimed", "unknown"}) ELSE row.st # "absent")
          THEN SetRow(Settled("completed", a.effect, FALSE))
          ELSE acked /\ UNCHANGED db
       /\ replies' = IF AnswerRecord \/ Mine(n, {"claimed", "unknown"}) THEN replies
                     ELSE replies \cup {[epoch |-> node[n].epoch, resp |-> a.effect, rebuilt |-> FALSE, late |-> FALSE]}
  /\ IF acked THEN EndsAt(n) ELSE UNCHANGED node
  /\ UNCHANGED <<far, asked, cache>>

AnswerEarly(n) ==
  /\ ~StoreFirst /\ Holds(n, {"sent"})
  /\ \E a \in answers :
       /\ a.tok = node[n].tok /\ a.effect # NoTok
       /\ replies' = replies \cup {[epoch |-> node[n].epoch, resp |-> a.effect, rebuilt |-> FALSE, late |-> FALSE]}
  /\ UNCHANGED <<db, node, far, asked, cache>>

\* Nothing was sent, or a transient answer came (A1: no effect), or, where that rule is off, a reset.
Release(n) ==
  /\ \/ Holds(n, {"claimed"})
     \/ Holds(n, {"sent"}) /\ (~ResetUnknown \/ [tok |-> node[n].tok, effect |-> NoTok] \in answers)
  /\ IF (IF ReleaseToken THEN Mine(n, {"claimed", "unknown"}) ELSE row.st # "absent")
     THEN SetRow(Released) ELSE UNCHANGED db
  /\ EndsAt(n)
  /\ UNCHANGED <<far, asked, out>>

\* A reset, an ambiguous status, or no answer by `abandon`: whatever still comes is not heard.
Abandon(n) ==
  /\ DoesAbandon /\ Holds(n, {"sent"})
  /\ IF Mine(n, {"claimed"}) THEN SetRow(Unknown) ELSE UNCHANGED db
  /\ EndsAt(n)
  /\ UNCHANGED <<far, asked, out>>

\* kill -9 at any point.
Crash(n) == ~Holds(n, {"idle"}) /\ EndsAt(n) /\ UNCHANGED <<db, far, asked, out>>

----------------------------------------------------------------------------
(* Network and upstream *)

\* At any later time, even after the owner died; with an effect or with a transient answer.
Arrive(m, executes) ==
  /\ m \in net /\ net' = net \ {m}
  /\ LET before == {x \in ledger : x.epoch = m.epoch}
         known == Upstream = "honoursKey" /\ before # {}
     IN IF m.tok \in fenced
        THEN ~executes /\ UNCHANGED <<ledger, answers>>
        ELSE /\ ledger' = IF executes /\ ~known THEN ledger \cup {m} ELSE ledger
             /\ answers' = answers \cup {[tok |-> m.tok, effect |->
                  IF ~executes THEN NoTok ELSE IF known THEN (CHOOSE x \in before : TRUE).tok ELSE m.tok]}
  /\ UNCHANGED <<db, node, fenced, asked, out>>

Drop(m) == m \in net /\ net' = net \ {m} /\ UNCHANGED <<db, node, ledger, answers, fenced, asked, out>>

----------------------------------------------------------------------------
(* Sweepers and a person *)

\* S11: unknown is committed before anything is asked; this also ends the owner's right to send or renew.
SweepExpire ==
  /\ DoesSweep /\ AskFirst /\ NoTakeOver /\ Lapsed
  /\ SetRow(Unknown)
  /\ UNCHANGED <<node, far, asked, out>>

SweepBlind ==
  /\ ~AskFirst /\ Lapsed
  /\ SetRow(Released)
  /\ UNCHANGED <<node, far, asked, out>>

\* The probe's verdict, as it was when the upstream gave it (A3), and whether the quarantine was over when it was sent.
Ask ==
  /\ Upstream # "honoursKey" /\ row.st = "unknown"
  /\ AskAgain \/ ~\E v \in asked : v.tok = row.tok
  /\ asked' = asked \cup {[tok |-> row.tok, applied |-> Effect(row.tok), quiet |-> ~Effect(row.tok) /\ Quiet(row.tok)]}
  /\ fenced' = IF Upstream = "refuses" /\ ~Effect(row.tok) THEN fenced \cup {row.tok} ELSE fenced
  /\ UNCHANGED <<db, node, net, ledger, answers, out>>

\* Any time later, perhaps by a sweeper that slept.
Settle(v) ==
  /\ v \in asked
  /\ LET fits == row.st = "unknown" /\ (SettleToken => row.tok = v.tok)
         frees == \/ v.quiet \/ ~AskSettled \/ Upstream = "refuses"
                  \/ ~AskAfter /\ Quiet(row.tok)
     IN /\ IF fits /\ v.applied THEN SetRow(Settled("completed", v.tok, TRUE))
           ELSE IF fits /\ frees THEN SetRow(Released)
           ELSE UNCHANGED db
        /\ asked' = IF AskAgain \/ row'.st # "unknown" THEN asked \ {v} ELSE asked
  /\ UNCHANGED <<node, far, out>>

\* onAmbiguous: release, which people allow where the upstream recognises the repeated key.
SweepFree ==
  /\ Upstream = "honoursKey" /\ row.st = "unknown"
  /\ SetRow(Released)
  /\ UNCHANGED <<node, far, asked, out>>

\* giveUpAfter, or at once on a `hold` route: an alarm, and a person has the record.
GiveUp ==
  /\ DoesGiveUp /\ row.st = "unknown" /\ ~row.alarm
  /\ SetRow([row EXCEPT !.alarm = TRUE])
  /\ UNCHANGED <<node, far, asked, out>>

\* A person finds out and says so, without force. For the model the two are one step.
Resolve ==
  /\ row.st = "unknown" /\ row.alarm
  /\ IF Effect(row.tok) THEN SetRow(Settled("completed", row.tok, TRUE))
     ELSE (Quiet(row.tok) \/ ~PersonWaits) /\ SetRow(Released)
  /\ UNCHANGED <<node, far, asked, out>>

----------------------------------------------------------------------------
(* Answers, cache, retention, time *)

Reply(epoch, resp, rebuilt, late) ==
  replies' = replies \cup {[epoch |-> epoch, resp |-> resp, rebuilt |-> rebuilt, late |-> late]}

\* From the record: to a retry, and to the winner itself.
AnswerDb ==
  /\ row.st = "completed" /\ row.left >= 0
  /\ Reply(row.epoch, row.resp, row.rebuilt, FALSE)
  /\ cache' = [epoch |-> row.epoch, resp |-> row.resp, rebuilt |-> row.rebuilt, left |-> row.left]
  /\ UNCHANGED <<db, node, far, asked>>

\* From the cache, as long as some clock within Skew thinks it alive.
AnswerCache ==
  /\ cache.resp # NoTok /\ cache.left >= (IF CacheMargin THEN 0 ELSE -Skew)
  /\ Reply(cache.epoch, cache.resp, cache.rebuilt, cache.left < 0)
  /\ UNCHANGED <<db, node, far, asked, cache>>

CacheLost == cache' = NoEntry /\ UNCHANGED <<db, node, far, asked, replies>>

\* After its deadline the key is a stranger and begins a new epoch.
Purge ==
  /\ \/ row.st = "completed" /\ row.left < 0 /\ row.epoch < MaxEpoch /\ SetRow(Absent(row.epoch + 1))
     \/ ~PurgeSettled /\ (Lapsed \/ row.st = "unknown") /\ SetRow(Absent(row.epoch))
  /\ UNCHANGED <<node, far, asked, out>>

\* An asynchronous standby takes over and has not got the last version.
Failover == /\ ~SyncStandby /\ row # prevRow /\ row' = prevRow
            /\ UNCHANGED <<prevRow, seq, node, far, asked, out>>

Less(t, floor) == IF t > floor THEN t - 1 ELSE floor
Aged(r) == IF r.st \in {"claimed", "completed"} THEN [r EXCEPT !.left = Less(@, -1)] ELSE r
Tick ==
  /\ row' = Aged(row) /\ prevRow' = Aged(prevRow)
  /\ node' = [n \in Nodes |-> IF Holds(n, {"maybe", "claimed"}) THEN [node[n] EXCEPT !.left = Less(@, -Skew)] ELSE node[n]]
  /\ cache' = IF cache.resp = NoTok \/ cache.left <= -Skew THEN NoEntry ELSE [cache EXCEPT !.left = @ - 1]
  /\ UNCHANGED <<seq, far, asked, replies>>

Owner(n) == \/ Claim(n, "claimed") \/ Claim(n, "maybe") \/ ClaimLost(n) \/ ReadBack(n)
            \/ Forward(n) \/ PoolRetry(n) \/ Renew(n) \/ AnswerEarly(n)
            \/ Complete(n, TRUE) \/ Complete(n, FALSE) \/ Release(n) \/ Abandon(n) \/ Crash(n)
Deliver == \E m \in net : Arrive(m, TRUE) \/ Arrive(m, FALSE) \/ Drop(m)
SettleAny == \E v \in asked : Settle(v)

Next == \/ \E n \in Nodes : Owner(n)
        \/ Deliver
        \/ SweepExpire \/ SweepBlind \/ Ask \/ SettleAny \/ SweepFree \/ GiveUp \/ Resolve
        \/ AnswerDb \/ AnswerCache \/ CacheLost \/ Purge \/ Failover \/ Tick

Spec == Init /\ [][Next]_vars
Same == Permutations(Nodes)

----------------------------------------------------------------------------
(* Safety *)

TypeOK == row.st \in {"absent", "claimed", "completed", "released", "unknown"} /\ seq \in 0..MaxTok
\* S1, S2
AtMostOneEffect == \A e \in 1..MaxEpoch : Cardinality({x \in ledger : x.epoch = e}) <= 1
\* S3: a completed record points at an effect of its own epoch
CompletedIsReal == row.st = "completed" => \E x \in ledger : x.tok = row.resp /\ x.epoch = row.epoch
\* S6: who saw a success can find it in the ledger
AnswersAreReal == \A r \in replies : \E x \in ledger : x.epoch = r.epoch /\ x.tok = r.resp
\* S5: all answers of an epoch are equal, to the byte
AnswersAgree == \A r, s \in replies : r.epoch = s.epoch => r.resp = s.resp /\ r.rebuilt = s.rebuilt
\* S12: a released record has no effect in its epoch, now or in any later state
ReleasedIsClean == row.st = "released" => ~\E x \in ledger : x.epoch = row.epoch
\* S15
NoLateReplay == \A r \in replies : ~r.late
\* S4 (action): a completed record only grows older, and goes after its deadline
CompletedImmutable ==
  [][row.st = "completed" => \/ row' \in {row, Aged(row)}
                             \/ row'.st = "absent" /\ row.left < 0]_vars
\* S7 (action): to become claimed takes a greater token
TokenMonotonic ==
  [][row'.st = "claimed" /\ row' # row => \/ row'.tok > row.tok
                                          \/ row.st = "claimed" /\ row'.tok = row.tok]_vars

----------------------------------------------------------------------------
(* Liveness, under weak fairness. Faults are bounded: a crash ends a claim, and claims are few. *)

\* A live owner does not sit on its exchange; a message arrives or is lost; time passes; sweepers run.
Runs == /\ WF_vars(Tick) /\ WF_vars(Deliver) /\ WF_vars(SweepExpire)
        /\ \A n \in Nodes : WF_vars(ReadBack(n) \/ Forward(n) \/ Release(n) \/ Complete(n, TRUE) \/ Abandon(n))

\* The upstream never says anything useful to a probe.
SilentSpec == Spec /\ Runs /\ WF_vars(GiveUp)
\* It answers probes, and no person is there.
ProbeSpec == Spec /\ Runs /\ WF_vars(Ask) /\ WF_vars(SettleAny) /\ WF_vars(SweepFree)
\* There is no probe, and a person decides what is brought before them.
PersonSpec == SilentSpec /\ WF_vars(Resolve)

\* V1, V5
ClaimEnds == row.st = "claimed" ~> row.st # "claimed"
\* V2
UnknownIsSeen == row.st = "unknown" ~> (row.st # "unknown" \/ row.alarm)
\* V2, V4: retries get a definite answer in the end
UnknownEnds == row.st = "unknown" ~> row.st # "unknown"
----------------------------------------------------------------------------
(* Witnesses: each says that something never happens, and TLC must show how it does. *)

\* a late answer of the owner completes an unknown record
NeverLate == [][row.st = "unknown" /\ row'.st = "completed" => row'.rebuilt]_vars
\* the owner gives back what is still claimed
NeverEarly == [][row.st = "claimed" => row'.st # "released"]_vars
\* a released key is claimed anew
NeverAgain == [][row.st = "released" => row'.st # "claimed"]_vars
NeverRebuilt == ~row.rebuilt
NeverStranger == row.epoch = 1
\* a sweeper holds a verdict about an older token while a newer one is unknown
NeverStale == \A v \in asked : row.st = "unknown" => v.tok = row.tok
\* an owner with an answer in its hands finds the record completed by a verdict
NeverFenced == \A n \in Nodes, a \in answers : Holds(n, {"sent"}) /\ a.tok = node[n].tok /\ a.effect # NoTok
                                               => ~(row.rebuilt /\ row.tok = a.tok)
\* the upstream recognises a key that was sent under an older token
NeverRecognised == \A a \in answers : a.effect \in {NoTok, a.tok}
=============================================================================
