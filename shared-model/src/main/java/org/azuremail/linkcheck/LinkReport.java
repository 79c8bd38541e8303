package org.azuremail.linkcheck;

import java.util.Comparator;
import java.util.List;
import org.azuremail.content.ContentLink;
import org.azuremail.linkcheck.LinkFinding.Finding;
import org.azuremail.linkcheck.LinkFinding.Level;
import org.azuremail.reason.Reason;

/**
 * The result of a check.
 *
 * @param links the links with their findings, problems first
 * @param more the number of further links, which were not looked at
 * @param refused the reason why nothing was checked; none if the check took place
 */
public record LinkReport(List<Checked> links, int more, Reason refused) {

    /** The reasons why a check does not take place. */
    public enum Refusal implements Reason.Code {
        /** The message must be corrected first. */
        LINKS_UNREADABLE,
        /** A check of the same admin is running. */
        LINKS_RUNNING,
        /** Others use all places. */
        LINKS_BUSY,
        /** The parameters are the number of checks and the minutes in which an admin may start them. */
        LINKS_TOO_OFTEN
    }

    public record Checked(ContentLink link, Finding finding) {

        boolean toLookAt() {
            Level level = finding.code().level();
            return level == Level.PROBLEM || level == Level.HINT;
        }
    }

    public LinkReport {
        links = links.stream()
                .sorted(Comparator.comparing(one -> one.finding().code().level()))
                .toList();
    }

    static LinkReport of(List<Checked> links, int more) {
        return new LinkReport(links, more, Reason.NONE);
    }

    public static LinkReport refused(Refusal why, Object... values) {
        return new LinkReport(List.of(), 0, Reason.of(why, values));
    }

    /** Returns the links that the author should correct or try. */
    public List<Checked> toLookAt() {
        return links.stream().filter(Checked::toLookAt).toList();
    }

    public List<Checked> others() {
        return links.stream().filter(one -> !one.toLookAt()).toList();
    }

    public long works() {
        return links.stream()
                .filter(one -> one.finding().code() == LinkFinding.LINK_WORKS)
                .count();
    }
}
