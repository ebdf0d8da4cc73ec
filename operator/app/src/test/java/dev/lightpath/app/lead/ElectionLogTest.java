package dev.lightpath.app.lead;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.jboss.logmanager.ExtLogRecord;
import org.jboss.logmanager.formatters.PatternFormatter;
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

    /** As the elector's records come, through the facade that formats them beforehand. */
    @Test
    void bracesInTheWordsOfTheApiServerAreNoPattern() {
        ExtLogRecord line = new ExtLogRecord(
                Level.WARNING, "Exception occurred while renewing", ExtLogRecord.FormatStyle.NO_FORMAT, "unused");
        line.setParameters(new Object[] {"LeaseLock"});
        line.setLoggerName("io.fabric8.kubernetes.client.extended.leaderelection.LeaderElector");
        line.setThrown(new IllegalStateException("leases is forbidden, additionalProperties={}"));
        assertThat(new ElectionLog().isLoggable(line)).isTrue();
        assertThat(new PatternFormatter("%s").format(line))
                .isEqualTo("Exception occurred while renewing leases is forbidden, additionalProperties={}");
    }

    @Test
    void errorsOfOthersStayErrors() {
        LogRecord line = said("dev.lightpath.app.loop.PlanningLoop");
        assertThat(line.getLevel()).isEqualTo(Level.SEVERE);
        assertThat(line.getThrown()).isNotNull();
    }
}
