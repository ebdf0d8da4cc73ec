package dev.lightpath.tracing;

import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.api.trace.SpanId;
import io.opentelemetry.api.trace.TraceId;
import org.junit.jupiter.api.Test;

class NamedTraceTest {
    @Test
    void identifiersFollowFromTheName() {
        NamedTrace trace = NamedTrace.of("uid/ring-a", "team/llm", "7");
        // printf 'uid/ring-a\0team/llm\0007\0' | sha256sum
        assertThat(trace.traceId() + trace.rootId()).isEqualTo("d25e294c0ee5ea47822a42106a20d21731b3264b9f9b2cfe");
        assertThat(TraceId.isValid(trace.traceId())).isTrue();
        assertThat(SpanId.isValid(trace.rootId())).isTrue();
    }

    @Test
    void partsOfANameDoNotRunIntoEachOther() {
        assertThat(NamedTrace.of("a", "bc")).isNotEqualTo(NamedTrace.of("ab", "c"));
        assertThat(NamedTrace.of("a", "")).isNotEqualTo(NamedTrace.of("a"));
    }
}
