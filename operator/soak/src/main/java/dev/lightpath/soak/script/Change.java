package dev.lightpath.soak.script;

/** One thing that happens to the environment. Ring positions are numbers, everything else has a name. */
public sealed interface Change {
    /** A node of the ring becomes faulty. */
    record NodeFails(int position, NodeFault how) implements Change {
        @Override
        public String toString() {
            return "node at " + position + " fails (" + how.words() + ")";
        }
    }

    /** It is well again. */
    record NodeRecovers(int position, NodeFault how) implements Change {
        @Override
        public String toString() {
            return "node at " + position + " recovers (" + how.words() + ")";
        }
    }

    /** A port of an optical switch fails. */
    record PortFails(String device, String port) implements Change {
        @Override
        public String toString() {
            return "port " + device + "/" + port + " fails";
        }
    }

    /** It is well again. */
    record PortRecovers(String device, String port) implements Change {
        @Override
        public String toString() {
            return "port " + device + "/" + port + " recovers";
        }
    }

    /** An optical switch loses its power and with it its circuits. */
    record SwitchFails(String device) implements Change {
        @Override
        public String toString() {
            return "switch " + device + " fails";
        }
    }

    /** It is well again, and empty. */
    record SwitchRecovers(String device) implements Change {
        @Override
        public String toString() {
            return "switch " + device + " recovers";
        }
    }

    /** A job is asked for. */
    record JobArrives(JobWish job) implements Change {
        @Override
        public String toString() {
            return "job " + job.name() + " arrives (" + job.words() + ")";
        }
    }

    /** A job is given up. */
    record JobLeaves(JobWish job) implements Change {
        @Override
        public String toString() {
            return "job " + job.name() + " leaves (" + job.words() + ")";
        }
    }
}
