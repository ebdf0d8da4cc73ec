package dev.lightpath.app.lead;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.Test;

class ElectionLogTest {
    private static LogRecord said(String logger) {
        LogRecord line = new LogRecord(Level.SEVERE, "Exception occurred while releasing lock");
        line.setLoggerName(logger);
        line.setThrown(new IllegalStateException("wrapped", new IllegalStateException("leases is forbidden")));
        assertThat(new ElectionLog().isLoggable(line)).isTrue();
        return line;
    }

    @Test
    void aRefusalOfTheElectorIsAWarningOfOneLine() {
        LogRecord line = said("io.fabric8.kubernetes.client.extended.leaderelection.LeaderElector");
        assertThat(line.getLevel()).isEqualTo(Level.WARNING);
        assertThat(line.getThrown()).isNull();
        assertThat(line.getMessage()).contains("releasing lock", "leases is forbidden");
    }

    @Test
    void errorsOfOthersStayErrors() {
        LogRecord line = said("dev.lightpath.app.loop.PlanningLoop");
        assertThat(line.getLevel()).isEqualTo(Level.SEVERE);
        assertThat(line.getThrown()).isNotNull();
    }
}
