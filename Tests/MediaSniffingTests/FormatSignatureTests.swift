import MediaSniffing
import Testing
