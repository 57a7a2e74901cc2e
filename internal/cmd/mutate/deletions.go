package main

// This file defines the table of deletions.

const (
	fibers      = "^TestNoFiberOutlivesItsScopeUnlessAbandoned$"
	finalizers  = "^TestFinalizersRunExactlyOnceInReverseOnEveryExit$"
	unjoined    = "^TestFailureOfAFiberNobodyJoinedIsTheScopes$"
	permits     = "^TestPermitsAreServedInTheOrderOfAsking$"
	deadline    = "^TestDeadlineStandsOnlyWhileSomebodyWaitsAndNobodyIsBusy$"
	laws        = "^TestLaw$"
	races       = "^TestRaceInterruptsAndAwaitsTheLosers$"
	graces      = "^TestRaceAwaitsADeafLoserOnlyUpToTheGrace$"
	all         = "^TestAllKeepsOrderStopsAtTheFirstFailureAndInterruptsSiblings$"
	schedules   = "^TestSchedulesDelayAsTheySay$"
	leaks       = "^TestAcquireReleaseNeverLeaksUnderInterruptionAtAnyPoint$"
	descendants = "^TestParentsInterruptReachesEveryDescendant$"
	restoring   = "^TestInterruptibleRestoresInsideAMaskAlsoWhatCameBefore$"
	machine     = "^TestPromiseMachineIsTheModel$"
	programs    = "^TestPromiseProgramsLogTheModelsOrder$"
	endings     = "^TestEveryProgramReachesExactlyOneEnding$"
	checkpoints = "^TestInterruptionAtEveryCheckpointLeavesNothing$"
)

var deletions = []deletion{
	{"scope/scope.go", "Close", "s.interrupt(&Interrupt{Reason: ScopeClosed, By: s.name})", fibers},
	{"scope/scope.go", "Close", "s.awaitFibers(grace)", fibers},
	{"scope/scope.go", "Close", "s.closeNested(exit)", fibers},
	{"scope/scope.go", "closeNested", "slices.SortFunc(scopes, func(a, b *Scope) int { return s.nested[b] - s.nested[a] })", fibers},
	{"scope/scope.go", "abandon", "s.abandoned = append(s.abandoned, f.name)", fibers},
	{"scope/scope.go", "adopt", "child.grace = s.grace", graces},
	{"scope/scope.go", "nextFinalizer", "s.finalizers = s.finalizers[:n-1]", finalizers},
	{"scope/scope.go", "finalize", "s.record(CauseOf(err).named(s.name))", finalizers},
	{"scope/scope.go", "finish", "s.parent.inherit(s.leftBehind())", graces},
	{"scope/fiber.go", "enter", "s.fibers = f", fibers},
	{"scope/fiber.go", "end", "f.scope.record(&unobserved{f})", unjoined},
	{"scope/fiber.go", "Await", "f.observed.Store(true)", unjoined},
	{"scope/mask.go", "Interruptible", "cancel(context.Cause(outer))", restoring},
	{"scope/semaphore.go", "Ticket", "s.enqueue(t)", permits},
	{"scope/semaphore.go", "Return", "s.unlink(t)", permits},
	{"scope/semaphore.go", "Return", "s.grant(next)", permits},
	{"scope/semaphore.go", "Return", "s.free++", permits},
	{"scope/semaphore.go", "grant", "t.state = granted", permits},
	{"scope/deadline.go", "change", "c.account()", deadline},
	{"scope/deadline.go", "change", "c.standing = stand", deadline},
	{"scope/deadline.go", "change", "c.arm()", deadline},
	{"scope/deadline.go", "fire", "c.standing = false", deadline},
	{"fx/effect.go", "FlatMap", "return b, interrupted(ctx)", laws},
	{"fx/failure.go", "OnExit", "exit.Cause = scope.NewCause(asError(exit.Cause), asError(after.Cause))", laws},
	{"fx/fiber.go", "race", "s.Interrupt(scope.RaceLost)", races},
	{"fx/fiber.go", "race", "failures = append(failures, asError(won.Cause))", races},
	{"fx/fiber.go", "together", "results[i] = exit.Value", all},
	{"fx/fiber.go", "together", "workers = min(n, workers)", all},
	{"fx/schedule.go", "pause", "return false, nil", schedules},
	{"fx/shared.go", "Complete", "close(d.done)", laws},
	{"promise/promise.go", "settle", "m.track(p)", machine},
	{"promise/promise.go", "settle", "m.trigger(r, v, state == Rejected)", machine},
	{"promise/promise.go", "Resolve", "m.Reject(p, m.agent.TypeError(\"Chaining cycle detected for promise #<Promise>\"))", machine},
	{"promise/promise.go", "decide", "s.done = true", machine},
	{"promise/promise.go", "react", "p.handled = true", machine},
	{"promise/promise.go", "react", "p.last = r", machine},
	{"promise/promise.go", "Await", "m.Observe(wrapper, k)", machine},
	{"promise/combinators.go", "add", "c.remaining++", machine},
	{"promise/combinators.go", "countDown", "c.remaining--", machine},
	{"promise/combinators.go", "store", "e.c.values[e.index] = v", machine},
	{"promise/jobs.go", "pop", "q.head = (q.head + 1) & (len(q.ring) - 1)", machine},
	{"tool/session.go", "record", "s.admitted++", endings},
	{"tool/session.go", "record", "record.Message = limitMessage(e.expression, *limit)", endings},
	{"tool/session.go", "Stop", "delete(s.live, c)", checkpoints},
	{"tool/call.go", "serve", "c.permit = t", checkpoints},
	{"tool/call.go", "begin", "c.record.Started = c.start", endings},
	{"tool/call.go", "finish", "c.notify(o)", endings},
	{"tool/call.go", "finish", "c.release()", checkpoints},
	{"tool/call.go", "close", "c.record.Status = o.status", endings},
	{"tool/call.go", "abandon", "c.notify(o)", endings},
	{"tool/context.go", "wait", "t.Return()", checkpoints},
	{"execute.go", "close", "e.session.Finish()", endings},
	{"execute.go", "collect", "r.Logs = e.logs", endings},
	{"execute.go", "limited", "e.scope.InterruptWith(i)", endings},
	{"interpreter/run.go", "Run", "defer ex.r.Close()", checkpoints},
	{"interpreter/run.go", "Run", "ex.out.Ended = context.Cause(ctx)", endings},
	{"interpreter/run.go", "unhandled", "ex.fail(d)", programs},
	{"interpreter/run.go", "waitTurn", "ex.pending--", endings},
	{"interpreter/run.go", "ended", "ex.fail(ex.stall())", endings},
	{"interpreter/tools.go", "Call", "ex.pending++", endings},
}
