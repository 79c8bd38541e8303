package org.azuremail.mail;

import jakarta.mail.MessagingException;
import jakarta.mail.Part;
import jakarta.mail.Session;
import jakarta.mail.internet.ContentType;
import jakarta.mail.internet.MimeBodyPart;
import jakarta.mail.internet.MimeMessage;
import jakarta.mail.internet.MimePart;
import jakarta.mail.internet.MimeUtility;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Properties;

/**
 * Reads emails from others, in any form. It reads at most {@value #MAX_BYTES} bytes of an email, and a limited number
 * of its parts.
 */
public final class InboundMailParser {

    public static final int MAX_BYTES = 1024 * 1024;

    private static final int MAX_BOUNDARIES = 400;

    /** Shared, because creating a session searches the class path, which takes longer than reading an email. */
    private static final Session SESSION = Session.getInstance(new Properties());

    private InboundMailParser() {}

    /** @throws MessagingException if the email cannot be read */
    public static MimeMessage parse(byte[] raw) throws MessagingException {
        return new MimeMessage(SESSION, new ByteArrayInputStream(raw, 0, end(raw)));
    }

    /**
     * Returns the beginning of a part's text, up to a number of bytes. If the encoding is unknown or the content is
     * malformed, this is the text as transferred; empty if even that cannot be read.
     */
    public static String text(Part part, int max) {
        try (InputStream in = decoded(part)) {
            return new String(in.readNBytes(max), charset(part));
        } catch (MessagingException | IOException | RuntimeException odd) {
            return raw(part, max);
        }
    }

    /**
     * Decodes a part. The library leaves encoded messages and reports as they are, because RFC 2045 forbids them, but
     * RFC 6533 allows them and servers send them.
     */
    private static InputStream decoded(Part part) throws MessagingException, IOException {
        String encoding = part instanceof MimePart mime && part.isMimeType("message/*") ? mime.getEncoding() : null;
        return encoding == null ? part.getInputStream() : MimeUtility.decode(rawStream(part), encoding);
    }

    private static InputStream rawStream(Part part) throws MessagingException {
        return part instanceof MimeBodyPart body ? body.getRawInputStream() : ((MimeMessage) part).getRawInputStream();
    }

    /** Returns the beginning of a part's content as transferred. */
    public static String raw(Part part, int max) {
        try (InputStream in = rawStream(part)) {
            return new String(in.readNBytes(max), StandardCharsets.UTF_8);
        } catch (MessagingException | IOException | RuntimeException odd) {
            return "";
        }
    }

    private static Charset charset(Part part) {
        try {
            String name = new ContentType(part.getContentType()).getParameter("charset");
            return name == null ? StandardCharsets.UTF_8 : Charset.forName(MimeUtility.javaCharset(name));
        } catch (MessagingException | IllegalArgumentException unknown) {
            return StandardCharsets.UTF_8;
        }
    }

    /**
     * Returns where to stop reading. The number of parts is limited because the cost of a part grows with the number of
     * parts before it.
     */
    private static int end(byte[] raw) {
        int max = Math.min(raw.length, MAX_BYTES);
        int boundaries = 0;
        for (int i = 2; i < max; i++) {
            if (raw[i] == '-' && raw[i - 1] == '-' && raw[i - 2] == '\n' && ++boundaries > MAX_BOUNDARIES) {
                return i;
            }
        }
        return max;
    }
}
