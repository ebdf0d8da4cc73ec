package dev.lightpath.app.driver;

import com.google.protobuf.Timestamp;
import dev.lightpath.app.driver.state.ProtoCodec;
import dev.lightpath.planner.light.ChangeOutcome;
import dev.lightpath.planner.light.ChangeOutcome.Reason;
import dev.lightpath.planner.light.DeviceChange;
import dev.lightpath.planner.light.EpochMark;
import dev.lightpath.planner.light.Stage;
import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsResponse;
import dev.lightpath.proto.driver.v1alpha1.CircuitServiceGrpc.CircuitServiceStub;
import dev.lightpath.proto.driver.v1alpha1.GetOperationRequest;
import dev.lightpath.proto.driver.v1alpha1.GetOperationResponse;
import dev.lightpath.proto.driver.v1alpha1.ItemReason;
import dev.lightpath.proto.driver.v1alpha1.ItemResult;
import dev.lightpath.proto.driver.v1alpha1.Operation;
import dev.lightpath.tracing.TraceHeaders;
import io.grpc.Status;
import io.grpc.stub.MetadataUtils;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.context.Context;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One change of one device, from being sent to its outcome. A time-out or a lost connection says nothing about the
 * device: the driver is asked for the operation until it answers, and only when it does not, or cannot tell, is the
 * outcome indeterminate.
 */
final class ChangeCall {
    private final DriverCalls calls;
    private final DriverLink link;
    private final FleetSurroundings surroundings;
    private final Stage stage;
    private final DeviceChange change;
    private final String holder;
    private final CompletableFuture<ChangeOutcome> outcome = new CompletableFuture<>();
    private String doubt = "";
    private long resolveUntilNanos;
    private boolean unknownToDriver;
    private long unknownSinceNanos;

    ChangeCall(
            DriverCalls calls,
            DriverLink link,
            FleetSurroundings surroundings,
            Stage stage,
            DeviceChange change,
            String holder) {
        this.calls = calls;
        this.link = link;
        this.surroundings = surroundings;
        this.stage = stage;
        this.change = change;
        this.holder = holder;
    }

    /** Sends it. The outcome always comes, and never as an exception. */
    CompletableFuture<ChangeOutcome> run() {
        if (change.expectedDigest().isEmpty()) {
            return refuse(Reason.STATE_DIFFERS, change.device() + " was never read; nothing was sent");
        }
        Optional<CircuitServiceStub> circuits =
                calls.circuits(surroundings.timings().apply());
        if (circuits.isEmpty()) {
            return refuse(Reason.DRIVER_UNREACHABLE, change.device().driver() + " is not connected; nothing was sent");
        }
        link.tells(stage.role(), stage.ledgerRevision());
        var request = ProtoCodec.request(stage, change, holder);
        Span span = span();
        CircuitServiceStub traced = circuits.orElseThrow()
                .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(
                        TraceHeaders.of(Context.current().with(span))));
        var unused = Unary.<ApplyCircuitsResponse>ask(answer -> traced.applyCircuits(request, answer))
                .handle((response, failure) -> {
                    if (response != null) {
                        judge(response.getOperation());
                    } else if (failure != null) {
                        failed(CallFailure.of(failure));
                    }
                    return response;
                })
                .exceptionally(this::notUnderstood);
        return outcome;
    }

    /** From now to the outcome. */
    private Span span() {
        Span span = surroundings
                .tracer()
                .spanBuilder("change device")
                .setSpanKind(SpanKind.CLIENT)
                .setAttribute("lightpath.device", change.device().device())
                .setAttribute("lightpath.driver", change.device().driver())
                .setAttribute("lightpath.operation", ProtoCodec.operationId(stage.id(), holder))
                .startSpan();
        var unused = outcome.thenAccept(ended -> {
            switch (ended) {
                case ChangeOutcome.Applied applied -> {}
                case ChangeOutcome.Rejected rejected ->
                    span.setStatus(StatusCode.ERROR, rejected.reason() + ": " + rejected.text());
                case ChangeOutcome.Indeterminate unknown -> span.setStatus(StatusCode.ERROR, unknown.text());
            }
            span.end();
        });
        return span;
    }

    /** An answer that is nonsense to us tells nothing about the device. */
    private <T> @Nullable T notUnderstood(Throwable bug) {
        outcome.complete(new ChangeOutcome.Indeterminate("the driver's answer is not understood: " + bug));
        return null;
    }

    private CompletableFuture<ChangeOutcome> refuse(Reason reason, String text) {
        return CompletableFuture.completedFuture(new ChangeOutcome.Rejected(reason, text, Optional.empty()));
    }

    private void failed(CallFailure failure) {
        Optional<ChangeOutcome> refusal = failure.refusal();
        if (refusal.isEmpty()) {
            resolve(failure.text());
            return;
        }
        if (failure.is("STALE_EPOCH")) {
            link.sawEpoch(stage.role(), mark(failure));
        } else if (failure.is("FOREIGN_ROLE")) {
            link.sawHolder(
                    change.device().device(),
                    failure.details().getOrDefault("holding_role", "a role it does not name"));
        }
        outcome.complete(refusal.orElseThrow());
    }

    /**
     * The stored epoch without a sign: above ours, or ours and shown first by somebody else, or we would not have been
     * refused.
     */
    private EpochMark mark(CallFailure failure) {
        long ours = stage.id().epoch();
        String other = failure.details().getOrDefault("stored_holder", "");
        EpochMark least = new EpochMark(ours + 1, "");
        try {
            long stored = Long.parseUnsignedLong(failure.details().getOrDefault("stored_epoch", "0"));
            boolean shared = stored == ours && !other.isEmpty() && !other.equals(holder);
            return shared || Long.compareUnsigned(stored, ours) > 0 ? new EpochMark(stored, other) : least;
        } catch (NumberFormatException nonsense) {
            return least;
        }
    }

    private void judge(Operation operation) {
        switch (operation.getOutcome()) {
            case OUTCOME_APPLIED -> {
                var applied = new ChangeOutcome.Applied(operation.getObservedDigest(), switching(operation));
                // Told only once states() shows it: a pass in between would plan the same change again.
                var unused = calls.settled(change.device().device(), operation.getObservedDigest())
                        .thenRun(() -> outcome.complete(applied));
            }
            case OUTCOME_REJECTED ->
                outcome.complete(
                        new ChangeOutcome.Rejected(Reason.DEVICE_REFUSED, described(operation), Optional.empty()));
            case OUTCOME_PARTIAL, OUTCOME_ROLLED_BACK, OUTCOME_UNSPECIFIED, UNRECOGNIZED ->
                outcome.complete(new ChangeOutcome.Indeterminate(described(operation)));
            case OUTCOME_IN_PROGRESS, OUTCOME_UNKNOWN -> resolve(described(operation));
        }
    }

    private void resolve(String why) {
        doubt = why;
        resolveUntilNanos = System.nanoTime() + surroundings.timings().resolve().toNanos();
        askLater(0, "");
    }

    private void askLater(int attempt, String lastAnswer) {
        if (System.nanoTime() - resolveUntilNanos > 0) {
            outcome.complete(new ChangeOutcome.Indeterminate(doubt + "; asked what became of it: " + lastAnswer));
            return;
        }
        surroundings.after(surroundings.backoff(attempt), () -> {
            try {
                askForOperation(attempt);
            } catch (RuntimeException bug) {
                outcome.complete(new ChangeOutcome.Indeterminate(doubt + "; what became of it was not asked: " + bug));
            }
        });
    }

    private void askForOperation(int attempt) {
        Optional<CircuitServiceStub> circuits =
                calls.circuits(surroundings.timings().ask());
        if (circuits.isEmpty()) {
            outcome.complete(new ChangeOutcome.Indeterminate(doubt + "; then the driver was disconnected"));
            return;
        }
        var request = GetOperationRequest.newBuilder()
                .setDeviceId(change.device().device())
                .setRole(stage.role())
                .setOperationId(ProtoCodec.operationId(stage.id(), holder))
                .build();
        var unused = Unary.<GetOperationResponse>ask(
                        answer -> circuits.orElseThrow().getOperation(request, answer))
                .handle((response, failure) -> {
                    if (response != null) {
                        remembered(attempt, response.getOperation());
                    } else if (failure != null) {
                        CallFailure unanswered = CallFailure.of(failure);
                        if (unanswered.status().getCode() == Status.Code.NOT_FOUND && notAdmittedForLong()) {
                            outcome.complete(new ChangeOutcome.Indeterminate(
                                    doubt + "; the driver knows no such operation: " + unanswered.text()));
                        } else {
                            askLater(attempt + 1, unanswered.text());
                        }
                    }
                    return response;
                })
                .exceptionally(this::notUnderstood);
    }

    /** A driver admits an operation only after it has read the device, which may still go on. */
    private boolean notAdmittedForLong() {
        long now = System.nanoTime();
        if (!unknownToDriver) {
            unknownToDriver = true;
            unknownSinceNanos = now;
        }
        return now - unknownSinceNanos > surroundings.timings().settle().toNanos();
    }

    private void remembered(int attempt, Operation operation) {
        switch (operation.getOutcome()) {
            case OUTCOME_IN_PROGRESS -> {
                // The driver vouches for it: however slow the device, it is not lost.
                resolveUntilNanos =
                        System.nanoTime() + surroundings.timings().resolve().toNanos();
                askLater(attempt + 1, described(operation));
            }
            case OUTCOME_UNKNOWN -> askLater(attempt + 1, described(operation));
            case OUTCOME_APPLIED,
                    OUTCOME_REJECTED,
                    OUTCOME_PARTIAL,
                    OUTCOME_ROLLED_BACK,
                    OUTCOME_UNSPECIFIED,
                    UNRECOGNIZED -> judge(operation);
        }
    }

    /** From the first item being asked of the device to the last being in place. */
    private static Duration switching(Operation operation) {
        List<ItemResult> timed = operation.getItemsList().stream()
                .filter(item -> item.hasStartedAt() && item.hasFinishedAt())
                .toList();
        if (timed.isEmpty()) {
            return Duration.ZERO;
        }
        Instant started = timed.stream()
                .map(item -> instant(item.getStartedAt()))
                .min(Comparator.naturalOrder())
                .orElseThrow();
        Instant finished = timed.stream()
                .map(item -> instant(item.getFinishedAt()))
                .max(Comparator.naturalOrder())
                .orElseThrow();
        return finished.isBefore(started) ? Duration.ZERO : Duration.between(started, finished);
    }

    private static Instant instant(Timestamp timestamp) {
        return Instant.ofEpochSecond(timestamp.getSeconds(), timestamp.getNanos());
    }

    private static String described(Operation operation) {
        String items = operation.getItemsList().stream()
                .filter(item -> item.getReason() != ItemReason.ITEM_REASON_UNSPECIFIED
                        && item.getReason() != ItemReason.ITEM_REASON_ALREADY)
                .map(item -> item.getKey().getIngress() + "->" + item.getKey().getEgress() + " "
                        + word(item.getReason().name(), "ITEM_REASON_")
                        + (item.getNativeText().isEmpty() ? "" : " (" + item.getNativeText() + ")"))
                .collect(Collectors.joining(", "));
        String outcome = word(operation.getOutcome().name(), "OUTCOME_");
        return items.isEmpty() ? outcome : outcome + ": " + items;
    }

    private static String word(String name, String prefix) {
        return name.startsWith(prefix) ? name.substring(prefix.length()) : name;
    }
}
