package dev.lightpath.driver.server;

import dev.lightpath.driver.contract.view.Times;
import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsResponse;
import dev.lightpath.proto.driver.v1alpha1.ItemAction;
import dev.lightpath.proto.driver.v1alpha1.ItemResult;
import dev.lightpath.proto.driver.v1alpha1.ItemState;
import dev.lightpath.proto.driver.v1alpha1.Operation;
import dev.lightpath.proto.driver.v1alpha1.Outcome;
import dev.lightpath.tracing.TraceHeaders;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One ApplyCircuits as part of the trace that its caller names: a span with an event for each circuit, and a line in
 * the log.
 */
final class ChangeTrace {
    private static final Logger LOG = LoggerFactory.getLogger(ChangeTrace.class);

    private final Span span;

    private ChangeTrace(Span span) {
        this.span = span;
    }

    static ChangeTrace begin(Tracer tracer, ApplyCircuitsRequest request) {
        return new ChangeTrace(tracer.spanBuilder("ApplyCircuits")
                .setParent(TraceHeaders.received())
                .setSpanKind(SpanKind.SERVER)
                .setAttribute("lightpath.device", request.getDeviceId())
                .setAttribute("lightpath.operation", request.getOperationId())
                .startSpan());
    }

    Context context() {
        return Context.current().with(span);
    }

    ApplyCircuitsResponse ended(ApplyCircuitsResponse response) {
        Operation operation = response.getOperation();
        String outcome = operation.getOutcome().name().replace("OUTCOME_", "");
        span.setAttribute("lightpath.outcome", outcome).setAttribute("lightpath.replayed", response.getReplayed());
        operation.getItemsList().stream().filter(ItemResult::hasFinishedAt).forEach(this::tell);
        boolean validated = operation.getOutcome() == Outcome.OUTCOME_UNSPECIFIED;
        if (operation.getOutcome() != Outcome.OUTCOME_APPLIED && !validated) {
            span.setStatus(StatusCode.ERROR, outcome);
        }
        span.end();
        if (!response.getReplayed() && !validated) {
            log(operation, outcome);
        }
        return response;
    }

    void failed(RuntimeException refused) {
        span.setStatus(StatusCode.ERROR, String.valueOf(refused.getMessage()));
        span.end();
    }

    private void tell(ItemResult item) {
        span.addEvent(
                item.getAction().name().replace("ITEM_ACTION_", "").toLowerCase(java.util.Locale.ROOT),
                Attributes.builder()
                        .put(
                                "lightpath.circuit",
                                item.getKey().getIngress() + "->"
                                        + item.getKey().getEgress())
                        .put("lightpath.state", item.getState().name().replace("ITEM_STATE_", ""))
                        .build(),
                Times.instant(item.getFinishedAt()));
    }

    private static void log(Operation operation, String outcome) {
        (operation.getOutcome() == Outcome.OUTCOME_APPLIED ? LOG.atInfo() : LOG.atWarn())
                .addKeyValue("device", operation.getDeviceId())
                .addKeyValue("operation", operation.getOperationId())
                .addKeyValue("outcome", outcome)
                .addKeyValue("broken", count(operation, ItemAction.ITEM_ACTION_DISCONNECT, ItemState.ITEM_STATE_DARK))
                .addKeyValue("made", count(operation, ItemAction.ITEM_ACTION_CONNECT, ItemState.ITEM_STATE_CONNECTED))
                .log("circuits changed");
    }

    private static long count(Operation operation, ItemAction action, ItemState state) {
        return operation.getItemsList().stream()
                .filter(item -> item.getAction() == action && item.getState() == state && item.hasFinishedAt())
                .count();
    }
}
