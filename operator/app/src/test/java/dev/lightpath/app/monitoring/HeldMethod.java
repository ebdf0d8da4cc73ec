package dev.lightpath.app.monitoring;

import com.sun.jdi.Bootstrap;
import com.sun.jdi.ReferenceType;
import com.sun.jdi.VMDisconnectedException;
import com.sun.jdi.VirtualMachine;
import com.sun.jdi.connect.AttachingConnector;
import com.sun.jdi.connect.Connector;
import com.sun.jdi.event.BreakpointEvent;
import com.sun.jdi.event.ClassPrepareEvent;
import com.sun.jdi.event.Event;
import com.sun.jdi.event.EventSet;
import com.sun.jdi.request.BreakpointRequest;
import com.sun.jdi.request.ClassPrepareRequest;
import com.sun.jdi.request.EventRequest;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Holds the first thread of another process that enters a method, as a debugger does. The others go on. */
final class HeldMethod implements AutoCloseable {
    private final VirtualMachine machine;
    private final CompletableFuture<String> held = new CompletableFuture<>();

    private final String method;

    private HeldMethod(VirtualMachine machine, String method) {
        this.machine = machine;
        this.method = method;
    }

    /** What the process has to be started with. */
    static String options(int port) {
        return "-agentlib:jdwp=transport=dt_socket,server=y,suspend=n,address=127.0.0.1:" + port;
    }

    static HeldMethod at(int port, String type, String method) throws Exception {
        AttachingConnector socket = Bootstrap.virtualMachineManager().attachingConnectors().stream()
                .filter(each -> each.transport().name().equals("dt_socket"))
                .findFirst()
                .orElseThrow();
        Map<String, Connector.Argument> arguments = socket.defaultArguments();
        arguments.get("hostname").setValue("127.0.0.1");
        arguments.get("port").setValue(Integer.toString(port));
        HeldMethod holds = new HeldMethod(socket.attach(arguments), method);
        ClassPrepareRequest prepared = holds.machine.eventRequestManager().createClassPrepareRequest();
        prepared.addClassFilter(type);
        prepared.enable();
        holds.machine.classesByName(type).forEach(holds::stopIn);
        Thread.ofVirtual().start(holds::await);
        return holds;
    }

    /** By a breakpoint: events of all methods would make the process a hundred times slower. */
    private void stopIn(ReferenceType type) {
        BreakpointRequest stop = machine.eventRequestManager()
                .createBreakpointRequest(type.methodsByName(method).getFirst().location());
        stop.setSuspendPolicy(EventRequest.SUSPEND_EVENT_THREAD);
        stop.enable();
    }

    private void await() {
        try {
            while (!held.isDone()) {
                EventSet set = machine.eventQueue().remove();
                boolean found = false;
                for (Event event : set) {
                    if (event instanceof ClassPrepareEvent prepared) {
                        stopIn(prepared.referenceType());
                    } else if (event instanceof BreakpointEvent stopped) {
                        found = true;
                        stopped.request().disable();
                        held.complete(stopped.thread().name());
                    }
                }
                if (!found) {
                    set.resume();
                }
            }
        } catch (InterruptedException | VMDisconnectedException e) {
            held.completeExceptionally(e);
        }
    }

    /** The name of the thread that is held. */
    String thread() throws Exception {
        return held.get(1, TimeUnit.MINUTES);
    }

    @Override
    public void close() {
        try {
            machine.dispose();
        } catch (VMDisconnectedException ended) {
            // the process is gone, and its thread with it
        }
    }
}
