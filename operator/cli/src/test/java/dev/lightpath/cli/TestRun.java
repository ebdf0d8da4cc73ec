package dev.lightpath.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintWriter;
import java.io.StringWriter;
import picocli.CommandLine;

/** One run of the command line. */
public record TestRun(int exitCode, String out, String err) {
    public static TestRun of(String... arguments) {
        return of(Lightpath.commandLine(), arguments);
    }

    public static TestRun of(CommandLine command, String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        command.setOut(new PrintWriter(out));
        command.setErr(new PrintWriter(err));
        return new TestRun(command.execute(arguments), out.toString(), err.toString());
    }

    public JsonNode json() {
        try {
            return new ObjectMapper().readTree(out);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(out, e);
        }
    }
}
