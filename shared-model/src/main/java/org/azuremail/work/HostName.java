package org.azuremail.work;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** The name of this machine. */
final class HostName {

    private HostName() {}

    /** For people; whether others can reach it under this name is another question. */
    static String find() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException nameless) {
            return "localhost";
        }
    }
}
