package dev.lightpath.tracing;

import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import io.opentelemetry.sdk.trace.samplers.SamplingDecision;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.logging.Level;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The tracing of one process. Spans are exported by OTLP if the environment says where to, by the variables that
 * OpenTelemetry defines; else they cost nothing and only their identifiers are passed on. Safe for use by many threads.
 */
public final class Tracing implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Tracing.class);
    private static final String SCOPE = "dev.lightpath";
    private static final String PROTOCOL = "http/protobuf";
    private static final long FLUSH_SECONDS = 2;

    /** Variables that ask for traces. */
    private static final List<String> ASK =
            List.of("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_TRACES_EXPORTER");

    private final OpenTelemetry telemetry;
    private final Sampler sampler;

    private Tracing(OpenTelemetry telemetry, Sampler sampler) {
        this.telemetry = telemetry;
        this.sampler = sampler;
    }

    /** Exports nothing. */
    public static Tracing silent() {
        return new Tracing(OpenTelemetry.noop(), Sampler.alwaysOn());
    }

    /**
     * As the environment asks. If it asks for what cannot be, that is logged and nothing is exported: telemetry never
     * keeps a process from its work.
     *
     * @param service name of the process, unless {@code OTEL_SERVICE_NAME} gives another
     */
    public static Tracing of(String service, Map<String, String> environment) {
        boolean asked = ASK.stream()
                .anyMatch(name -> !environment.getOrDefault(name, "").isBlank());
        if (!asked || "true".equalsIgnoreCase(environment.get("OTEL_SDK_DISABLED"))) {
            return silent();
        }
        // it says the same in a line and in a stack trace
        java.util.logging.Logger configuration =
                java.util.logging.Logger.getLogger("io.opentelemetry.sdk.autoconfigure");
        configuration.setLevel(Level.SEVERE);
        try {
            return exporting(service, environment);
        } catch (RuntimeException wrong) {
            LOG.atError().log("traces are not exported: " + reasons(wrong));
            return silent();
        }
    }

    private static Tracing exporting(String service, Map<String, String> environment) {
        for (String name : List.of("OTEL_EXPORTER_OTLP_PROTOCOL", "OTEL_EXPORTER_OTLP_TRACES_PROTOCOL")) {
            String protocol = environment.getOrDefault(name, "");
            if (!protocol.isBlank() && !protocol.equals(PROTOCOL)) {
                throw new IllegalArgumentException(name + ": '" + protocol + "' is not allowed; allowed is " + PROTOCOL
                        + ", which collectors take on port 4318");
            }
        }
        AtomicReference<Sampler> chosen = new AtomicReference<>(Sampler.alwaysOn());
        OpenTelemetrySdk sdk = AutoConfiguredOpenTelemetrySdk.builder()
                .disableShutdownHook()
                .addPropertiesSupplier(() -> settings(service, environment))
                .addSamplerCustomizer((sampler, config) -> {
                    chosen.set(sampler);
                    return sampler;
                })
                .addTracerProviderCustomizer((provider, config) -> provider.setIdGenerator(new RootIds()))
                .build()
                .getOpenTelemetrySdk();
        String where = ASK.stream()
                .map(name -> environment.getOrDefault(name, ""))
                .filter(value -> !value.isBlank())
                .findFirst()
                .orElse("");
        LOG.atInfo().addKeyValue("to", where).log("exporting traces");
        return new Tracing(sdk, chosen.get());
    }

    private static Map<String, String> settings(String service, Map<String, String> environment) {
        Map<String, String> settings = new HashMap<>(Map.of(
                "otel.service.name",
                service,
                "otel.exporter.otlp.protocol",
                PROTOCOL,
                "otel.metrics.exporter",
                "none",
                "otel.logs.exporter",
                "none"));
        environment.forEach((name, value) -> {
            if (name.startsWith("OTEL_") && !value.isBlank()) {
                settings.put(name.toLowerCase(Locale.ROOT).replace('_', '.'), value);
            }
        });
        return settings;
    }

    /** From the outermost to the innermost; some say no more than the next. */
    private static String reasons(Throwable thrown) {
        List<String> reasons = new ArrayList<>();
        for (Throwable each = thrown; each != null; each = each.getCause()) {
            String message = String.valueOf(each.getMessage());
            if (reasons.stream().noneMatch(said -> said.contains(message))) {
                reasons.add(message);
            }
        }
        return String.join(": ", reasons);
    }

    public Tracer tracer() {
        return telemetry.getTracer(SCOPE);
    }

    /** Where spans of a trace belong, whoever starts it. */
    public Context context(NamedTrace trace) {
        SamplingDecision decision = sampler.shouldSample(
                        Context.root(), trace.traceId(), "", SpanKind.INTERNAL, Attributes.empty(), List.of())
                .getDecision();
        return Context.root()
                .with(Span.wrap(SpanContext.create(
                        trace.traceId(),
                        trace.rootId(),
                        decision == SamplingDecision.RECORD_AND_SAMPLE
                                ? TraceFlags.getSampled()
                                : TraceFlags.getDefault(),
                        TraceState.getDefault())));
    }

    /** Starts the first span of a trace. */
    public Span start(NamedTrace trace, String name, Instant from) {
        Span span = RootIds.within(
                trace,
                () -> tracer().spanBuilder(name)
                        .setNoParent()
                        .setStartTimestamp(from)
                        .startSpan());
        return span.getSpanContext().isValid() ? span : Span.fromContext(context(trace));
    }

    /** Exports what is left, for two seconds at most. */
    @Override
    public void close() {
        if (telemetry instanceof OpenTelemetrySdk sdk) {
            sdk.shutdown().join(FLUSH_SECONDS, TimeUnit.SECONDS);
        }
    }
}
